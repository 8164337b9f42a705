package dev.tributary.worker;

import dev.tributary.JobQueue;
import dev.tributary.Requeued;
import dev.tributary.Reservations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How work comes to a worker: what others dropped is put back, what is due is reserved. */
final class Intake {
    private static final int RESCUED_AT_ONCE = 100;

    /** A job that is due for so long and is still there may never be seen by a look that waits for nobody. */
    private static final Duration OVERDUE = Duration.ofMillis(500);

    private final JobQueue queue;
    private final Reservations reservations;
    private final List<Handling<?>> types;
    private final Duration lease;
    private final Events events;
    private int first;
    private long overdueAt = System.nanoTime();

    Intake(JobQueue queue, List<Handling<?>> types, Duration lease, Events events) {
        this.queue = queue;
        this.reservations = Reservations.of(queue);
        this.types = types;
        this.lease = lease;
        this.events = events;
    }

    /** Puts back the expired jobs of all types; how many there were. */
    int rescue() {
        int rescued = 0;
        for (Handling<?> handling : types) {
            List<Requeued> jobs;
            do {
                jobs = queue.rescue(handling.type(), RESCUED_AT_ONCE).jobs();
                jobs.forEach(events::rescued);
                rescued += jobs.size();
            } while (jobs.size() == RESCUED_AT_ONCE);
        }
        return rescued;
    }

    /** Due jobs of all types, at most so many. Each call begins with another type, so that none starves the others. */
    List<HeldJob<?>> reserve(int free) {
        List<HeldJob<?>> jobs = new ArrayList<>();
        for (int i = 0; i < types.size() && jobs.size() < free; i++) {
            Handling<?> handling = types.get((first + i) % types.size());
            jobs.addAll(handling.reserve(queue, free - jobs.size(), lease));
        }
        first = (first + 1) % types.size();
        if (jobs.size() < free) {
            reserveOverdue(jobs, free);
        }
        jobs.forEach(events::reserved);
        return jobs;
    }

    /** What is left though it is due is locked by others: one of each type is worth a short wait, now and then. */
    private void reserveOverdue(List<HeldJob<?>> jobs, int free) {
        if (System.nanoTime() - overdueAt < 0) {
            return;
        }
        overdueAt = System.nanoTime() + OVERDUE.toNanos();
        for (Handling<?> handling : types) {
            if (handling.type().merge().isPresent() && jobs.size() < free) {
                handling.reserveOverdue(reservations, OVERDUE, lease).ifPresent(jobs::add);
            }
        }
    }
}
