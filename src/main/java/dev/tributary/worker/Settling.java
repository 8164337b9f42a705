package dev.tributary.worker;

import dev.tributary.InvalidPayload;
import dev.tributary.JobQueue;
import dev.tributary.Requeued;
import dev.tributary.Reservations;
import dev.tributary.Settled;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jooq.exception.DataAccessException;

/** Writes outcomes down: what is done in one statement, the rest one by one. */
final class Settling {
    /** A job and what its handler said. */
    record Handled(HeldJob<?> job, Outcome outcome) {}

    private static final Set<String> OUTAGES = Set.of("08", "25", "40", "53", "55", "57", "58");

    private final JobQueue queue;
    private final Reservations reservations;
    private final Events events;

    Settling(JobQueue queue, Events events) {
        this.queue = queue;
        this.reservations = Reservations.of(queue);
        this.events = events;
    }

    /**
     * Settles all of them. If the database does not answer, it throws, and may be called again with those that are left.
     *
     * @param handled those that are settled are taken out
     * @param tally counts them
     */
    void settle(List<Handled> handled, Tally tally) {
        List<Handled> done = handled.stream()
                .filter(job -> job.outcome() instanceof Outcome.Done)
                .toList();
        if (!done.isEmpty()) {
            complete(done, handled, tally);
        }
        for (Handled job : List.copyOf(handled)) {
            try {
                settleAlone(job, tally);
            } catch (RuntimeException failure) {
                if (isOutage(failure)) {
                    throw failure;
                }
                // Nothing that another try would change: its lease will expire.
                events.trouble("settling " + job.job(), failure);
            }
            handled.remove(job);
        }
    }

    /** Whether the database may answer another time: no connection, no resources, shut down, or no SQLSTATE at all. */
    static boolean isOutage(Throwable failure) {
        if (!(failure instanceof DataAccessException error)) {
            return false;
        }
        String state = error.sqlState();
        return state.equals("00000") || OUTAGES.contains(state.substring(0, 2));
    }

    private void complete(List<Handled> done, List<Handled> handled, Tally tally) {
        Set<UUID> held;
        try {
            held = reservations.complete(done.stream()
                    .map(job -> new Reservations.Done(job.job(), ((Outcome.Done) job.outcome()).result()))
                    .toList());
        } catch (InvalidPayload oneOfTheResults) {
            return; // each alone, then: only that one is refused
        }
        for (Handled job : done) {
            ended(job, held.contains(job.job().lockToken()) ? Settled.DONE : Settled.LEASE_LOST, tally);
            handled.remove(job);
        }
    }

    private void settleAlone(Handled handled, Tally tally) {
        HeldJob<?> job = handled.job();
        if (handled.outcome() instanceof Outcome.Done done) {
            try {
                ended(handled, queue.complete(job, done.result()), tally);
            } catch (InvalidPayload result) {
                putBack(job, queue.requeue(job, result.getMessage()), tally);
            }
        } else if (handled.outcome() instanceof Outcome.Failed failed) {
            ended(handled, queue.fail(job, failed.why()), tally);
        } else if (handled.outcome() instanceof Outcome.Refused refused) {
            putBack(job, requeue(job, refused), tally);
        }
    }

    private Requeued requeue(HeldJob<?> job, Outcome.Refused refused) {
        return refused.retryIn()
                .map(delay -> queue.requeue(job, refused.why(), delay))
                .orElseGet(() -> queue.requeue(job, refused.why()));
    }

    private void ended(Handled handled, Settled settled, Tally tally) {
        tally.ended(handled.outcome(), settled);
        events.ended(handled.job(), handled.outcome(), settled);
    }

    private void putBack(HeldJob<?> job, Requeued requeued, Tally tally) {
        tally.putBack(requeued);
        events.putBack(job, requeued);
    }
}
