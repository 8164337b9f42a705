package dev.tributary.worker;

import dev.tributary.JobQueue;
import dev.tributary.JobType;
import dev.tributary.Reservations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A type and who handles it. */
record Handling<P>(JobType<P> type, JobHandler<P> handler) {
    List<HeldJob<P>> reserve(JobQueue queue, int limit, Duration lease) {
        return queue.reserve(type, limit, lease).stream()
                .map(job -> new HeldJob<>(job, handler))
                .toList();
    }

    Optional<HeldJob<P>> reserveOverdue(Reservations reservations, Duration overdue, Duration lease) {
        return reservations.reserveOverdue(type, overdue, lease).map(job -> new HeldJob<>(job, handler));
    }
}
