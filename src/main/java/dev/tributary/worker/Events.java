package dev.tributary.worker;

import dev.tributary.Requeued;
import dev.tributary.ReservedJob;
import dev.tributary.Settled;
import dev.tributary.internal.Unfailing;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the listener; what it throws stays here. */
record Events(WorkerListener listener) {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    void reserved(ReservedJob<?> job) {
        tell(to -> to.reserved(new WorkerListener.Reserved(job)));
    }

    void handled(ReservedJob<?> job, HeldJob.Said said, Duration took) {
        said.thrown().ifPresent(thrown -> Unfailing.log(() -> LOG.warn("{}: its handler threw", job, thrown)));
        tell(to -> to.handled(new WorkerListener.Handled(job, said.outcome(), took, said.thrown())));
    }

    void ended(ReservedJob<?> job, Outcome outcome, Settled settled) {
        tell(to -> to.ended(new WorkerListener.Ended(job, outcome, settled)));
    }

    void putBack(ReservedJob<?> job, Requeued requeued) {
        tell(to -> to.putBack(new WorkerListener.PutBack(job, requeued)));
    }

    void rescued(Requeued requeued) {
        tell(to -> to.rescued(new WorkerListener.Rescue(requeued)));
    }

    void leaseLost(ReservedJob<?> job) {
        Unfailing.log(() -> LOG.info("{}: lease lost while its handler runs", job));
        tell(to -> to.leaseLost(new WorkerListener.LeaseLost(job)));
    }

    void trouble(String doing, Throwable cause) {
        Unfailing.log(() -> LOG.warn("trouble with {}; the worker goes on", doing, cause));
        tell(to -> to.trouble(new WorkerListener.Trouble(doing, cause)));
    }

    private void tell(Consumer<WorkerListener> event) {
        try {
            event.accept(listener);
        } catch (Throwable failure) {
            Unfailing.log(() -> LOG.warn("the listener threw", failure));
        }
    }
}
