package dev.tributary.batch;

import dev.tributary.internal.Chance;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jooq.exception.DataAccessException;

/** What a daemon does at a time: batches until the sweep ends, the time is up or it is told to stop; then the figures. */
final class Run {
    private final BatchOptions options;
    private final LongSupplier nanos;
    private final Stop stop;
    private final Events events;
    private final Walk walk;
    private final Pace pace;
    private final Figures figures;
    private final StallWatch stalls;
    private final Stayers stayers = new Stayers();
    private Optional<Stay> stay = Optional.empty();
    private int runsSinceCount;

    Run(BatchOptions options, Walk walk, LongSupplier nanos, Stop stop, Events events) {
        this.options = options;
        this.walk = walk;
        this.nanos = nanos;
        this.stop = stop;
        this.events = events;
        this.pace = new Pace(walk, options.batchSize, events);
        this.figures = new Figures(nanos);
        this.stalls = new StallWatch(walk);
    }

    Progress once() {
        long begin = nanos.getAsLong();
        figures.begin();
        events.begin();
        walk.begin().forEach(this::add);
        boolean more = true;
        while (more) {
            Batch batch = pace.next();
            add(batch);
            more = !batch.ended() && isTimeLeft(begin) && pause();
            if (more && events.aMinuteWithoutFigures()) {
                events.advanced(figures.progress(false, stalls.isStalled()));
            }
        }
        return end(count());
    }

    private void add(Batch batch) {
        figures.add(batch);
        stay = stayers.after(batch).or(() -> stay);
    }

    private Progress end(boolean counted) {
        Optional<Stall> stall = stalls.after(figures);
        boolean isOver = stalls.ends();
        Progress progress = figures.progress(counted, stalls.isStalled());
        events.advanced(progress);
        stall.ifPresentOrElse(events::stalled, () -> stay.ifPresent(events::stayed));
        stay = Optional.empty();
        if (isOver) {
            events.recovered(progress);
        }
        return progress;
    }

    private boolean isTimeLeft(long begin) {
        return options.timeBudget
                .map(Duration::toNanos)
                .filter(budget -> nanos.getAsLong() - begin >= budget)
                .isEmpty();
    }

    /** False if the run is to end. */
    private boolean pause() {
        if (stop.isSet()) {
            return false;
        }
        try {
            return options.pause.isZero() || stop.pause(options.pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whether it was due, and came to an end. Before a stall is told it is always due: an estimate would cry wolf. */
    private boolean count() {
        runsSinceCount++;
        boolean due = runsSinceCount >= options.countEvery || !figures.anyLeft() && figures.waiting() > 0;
        if (!due || stop.isSet()) {
            return false;
        }
        try {
            figures.count(walk.waiting());
            runsSinceCount = 0;
            return true;
        } catch (DataAccessException e) {
            if (!Chance.isTimeout(e)) {
                throw e;
            }
            events.notCounted(e);
            return false;
        }
    }
}
