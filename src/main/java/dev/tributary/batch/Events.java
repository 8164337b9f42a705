package dev.tributary.batch;

import dev.tributary.internal.Unfailing;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the listener and the log; what the listener throws stays here. */
final class Events {
    private static final Logger LOG = LoggerFactory.getLogger(BatchDaemon.class);
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final String daemon;
    private final BatchListener listener;
    private final LongSupplier nanos;
    private OptionalLong toldAt = OptionalLong.empty();
    private OptionalLong loggedAt = OptionalLong.empty();

    Events(String daemon, BatchListener listener, LongSupplier nanos) {
        this.daemon = daemon;
        this.listener = listener;
        this.nanos = nanos;
    }

    /** A run begins; within a minute there need be no figures. */
    void begin() {
        toldAt = OptionalLong.of(nanos.getAsLong());
    }

    boolean aMinuteWithoutFigures() {
        return isAMinuteAgo(toldAt);
    }

    /** One line a minute, and none if there is nothing to say. */
    void advanced(Progress progress) {
        toldAt = OptionalLong.of(nanos.getAsLong());
        if ((progress.selected() > 0 || progress.waiting() > 0) && isAMinuteAgo(loggedAt)) {
            loggedAt = toldAt;
            Unfailing.log(() -> LOG.info("{}: {}", daemon, progress));
        }
        tell(to -> to.advanced(new BatchListener.Advanced(daemon, progress)));
    }

    void stalled(Stall stall) {
        Unfailing.log(() -> LOG.warn("{} has stalled: {}", daemon, stall));
        tell(to -> to.stalled(new BatchListener.Stalled(daemon, stall)));
    }

    void stayed(Stay stay) {
        Unfailing.log(() -> LOG.warn("{}: {}", daemon, stay));
        tell(to -> to.stayed(new BatchListener.Stayed(daemon, stay)));
    }

    void recovered(Progress progress) {
        Unfailing.log(() -> LOG.info("{} goes on, the stall is over: {}", daemon, progress));
        tell(to -> to.recovered(new BatchListener.Recovered(daemon, progress)));
    }

    void smaller(int size, RuntimeException cause) {
        Unfailing.log(() ->
                LOG.info("{}: a batch was undone, the next one has {} rows: {}", daemon, size, Refusal.text(cause)));
    }

    void rowSetAside(FailedRow row) {
        Unfailing.log(() -> LOG.warn(
                "{}: row {} cannot be written and is set aside until the next run: {}",
                daemon,
                row.key(),
                Refusal.text(row.cause())));
        tell(to ->
                to.rowSetAside(new BatchListener.RowSetAside(daemon, row.key().toString(), row.cause())));
    }

    void notCounted(Throwable cause) {
        Unfailing.log(() ->
                LOG.warn("{}: counting the rows that wait took too long; countEvery(n) makes it rarer", daemon, cause));
        tell(to -> to.trouble(new BatchListener.Trouble(daemon, cause)));
    }

    void trouble(Throwable cause) {
        Unfailing.log(() -> LOG.warn("{}: a run was ended by an error; the next one goes on there", daemon, cause));
        tell(to -> to.trouble(new BatchListener.Trouble(daemon, cause)));
    }

    private boolean isAMinuteAgo(OptionalLong then) {
        return then.isEmpty() || nanos.getAsLong() - then.getAsLong() >= MINUTE;
    }

    private void tell(Consumer<BatchListener> event) {
        try {
            event.accept(listener);
        } catch (Throwable failure) {
            Unfailing.log(() -> LOG.warn("the listener threw", failure));
        }
    }
}
