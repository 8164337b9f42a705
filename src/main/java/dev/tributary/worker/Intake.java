package dev.tributary.worker;

import dev.tributary.JobQueue;
import dev.tributary.Requeued;
import dev.tributary.Reservations;
import dev.tributary.internal.Chance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** How work comes to a worker: what others dropped is put back, what is due is reserved. */
final class Intake {
    private static final int RESCUED_AT_ONCE = 20;

    /** A job that is due for so long and is still there may never be seen by a look that waits for nobody. */
    static final Duration OVERDUE = Duration.ofMillis(500);

    private final JobQueue queue;
    private final JobQueue rescuing;
    private final Reservations reservations;
    private final List<Handling<?>> types;
    private final Duration lease;
    private final Events events;
    private int first;
    private volatile boolean exhausted;
    private volatile boolean stopped;

    /** @param rescuing the queue for what may wait for locks; reserving never does, and saves a round trip without a limit */
    Intake(JobQueue rescuing, Settings settings, Events events) {
        this.queue = settings.queue();
        this.rescuing = rescuing;
        this.reservations = Reservations.of(queue);
        this.types = settings.types();
        this.lease = settings.lease();
        this.events = events;
    }

    /** Puts back the expired jobs of all types; how many there were. */
    int rescue() {
        AtomicInteger rescued = new AtomicInteger();
        Optional<RuntimeException> failure = each(0, handling -> {
            List<Requeued> jobs;
            do {
                jobs = rescuing.rescue(handling.type(), RESCUED_AT_ONCE).jobs();
                jobs.forEach(events::rescued);
                rescued.addAndGet(jobs.size());
            } while (jobs.size() == RESCUED_AT_ONCE && !stopped);
        });
        report("rescuing", failure, rescued.get() == 0);
        return rescued.get();
    }

    /** Due jobs of all types, at most so many. Each call begins with another type, so that none starves the others. */
    List<HeldJob<?>> reserve(int free) {
        List<HeldJob<?>> jobs = new ArrayList<>();
        Optional<RuntimeException> failure = each(first, handling -> {
            if (jobs.size() < free) {
                jobs.addAll(handling.reserve(queue, free - jobs.size(), lease));
            }
        });
        first = (first + 1) % types.size();
        jobs.forEach(events::reserved);
        exhausted = jobs.size() < free;
        report("reserving", failure, jobs.isEmpty());
        return jobs;
    }

    /**
     * Due jobs that are always locked when they are looked at: worth a short wait. For a thread that has nothing else to do.
     * Before all the others have been taken it does nothing: it would look at each of them.
     */
    void reserveOverdue(Held held, Consumer<HeldJob<?>> dispatch) {
        if (exhausted) {
            report(
                    "reserving",
                    each(0, handling -> reserveOverdue(handling, held).ifPresent(dispatch)),
                    true);
        }
    }

    private Optional<HeldJob<?>> reserveOverdue(Handling<?> handling, Held held) {
        int slots = handling.type().merge().isPresent() ? held.claim(1) : 0;
        Optional<HeldJob<?>> job = Optional.empty();
        try {
            job = slots > 0
                    ? handling.reserveOverdue(reservations, OVERDUE, lease).map(one -> one)
                    : job;
            job.ifPresent(events::reserved);
            return job;
        } finally {
            held.add(job.stream().toList(), slots);
        }
    }

    /** Each type for itself: where one fails the others go on, unless nobody gets an answer. */
    private Optional<RuntimeException> each(int from, Consumer<Handling<?>> step) {
        RuntimeException failure = null;
        for (int i = 0; i < types.size() && !stopped; i++) {
            try {
                step.accept(types.get((from + i) % types.size()));
            } catch (RuntimeException e) {
                failure = failure == null ? e : failure;
                if (Chance.after(e) == Chance.OUTAGE) {
                    break;
                }
            }
        }
        return Optional.ofNullable(failure);
    }

    /** It must not hide what there is besides. */
    private void report(String doing, Optional<RuntimeException> failure, boolean nothingElse) {
        failure.ifPresent(e -> {
            if (nothingElse) {
                throw e;
            }
            events.trouble(doing, e);
        });
    }

    void stop() {
        stopped = true;
    }
}
