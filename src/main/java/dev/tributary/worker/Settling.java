package dev.tributary.worker;

import dev.tributary.InvalidPayload;
import dev.tributary.JobQueue;
import dev.tributary.Requeued;
import dev.tributary.Reservations;
import dev.tributary.Settled;
import dev.tributary.internal.Chance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jooq.exception.DataAccessException;

/** Writes outcomes down: what is done in one statement, the rest one by one. */
final class Settling {
    /**
     * A job and what is to become of it.
     *
     * @param unfinished whether it is given back: the outcome is no handler's, and no attempt is spent
     */
    record Handled(HeldJob<?> job, Outcome outcome, boolean unfinished) {
        Handled(HeldJob<?> job, Outcome outcome) {
            this(job, outcome, false);
        }
    }

    private final JobQueue queue;
    private final Reservations reservations;
    private final Events events;

    Settling(JobQueue queue, Events events) {
        this.queue = queue;
        this.reservations = Reservations.of(queue);
        this.events = events;
    }

    /**
     * Settles all that can be settled now.
     *
     * @param tally counts what became of them
     * @return those for which there is a chance at another time, and what stood in the way of each
     */
    Map<HeldJob<?>, DataAccessException> settle(List<Handled> all, Tally tally) {
        Map<HeldJob<?>, DataAccessException> left = new LinkedHashMap<>();
        List<Handled> open = new ArrayList<>(all);
        try {
            Set<HeldJob<?>> completed = complete(all, tally);
            open.removeIf(handled -> completed.contains(handled.job()));
            while (!open.isEmpty()) {
                Handled handled = open.get(0);
                triedAlone(handled, tally).ifPresent(later -> left.put(handled.job(), later));
                open.remove(0);
            }
        } catch (DataAccessException outage) {
            open.forEach(handled -> left.put(handled.job(), outage));
        }
        return left;
    }

    /** All that is done, in one statement, if that works; if not, each will be told for itself why. */
    private Set<HeldJob<?>> complete(List<Handled> all, Tally tally) {
        List<Handled> done = all.stream()
                .filter(handled -> handled.outcome() instanceof Outcome.Done)
                .toList();
        if (done.size() < 2) {
            return Set.of();
        }
        Set<UUID> held;
        try {
            held = reservations.complete(done.stream()
                    .map(job -> new Reservations.Done(job.job(), ((Outcome.Done) job.outcome()).result()))
                    .toList());
        } catch (RuntimeException | Error failure) {
            // A getter of a result may throw anything.
            if (Chance.after(failure) == Chance.OUTAGE) {
                throw failure;
            }
            return Set.of();
        }
        done.forEach(
                job -> ended(job, held.contains(job.job().lockToken()) ? Settled.DONE : Settled.LEASE_LOST, tally));
        return done.stream().map(Handled::job).collect(Collectors.toUnmodifiableSet());
    }

    /** @return what may not be in the way another time */
    private Optional<DataAccessException> triedAlone(Handled handled, Tally tally) {
        try {
            settleAlone(handled, tally);
        } catch (DataAccessException failure) {
            switch (Chance.after(failure)) {
                case OUTAGE -> throw failure;
                case LATER -> {
                    return Optional.of(failure);
                }
                case NEVER -> hopeless(handled, failure);
            }
        } catch (RuntimeException | Error failure) {
            hopeless(handled, failure);
        }
        return Optional.empty();
    }

    private void hopeless(Handled handled, Throwable failure) {
        events.trouble("settling " + handled.job() + ", its lease will expire", failure);
    }

    private void settleAlone(Handled handled, Tally tally) {
        HeldJob<?> job = handled.job();
        if (handled.outcome() instanceof Outcome.Done done) {
            try {
                ended(handled, queue.complete(job, done.result()), tally);
            } catch (InvalidPayload result) {
                putBack(job, reservations.requeue(job, result.getMessage()), tally);
            }
        } else if (handled.outcome() instanceof Outcome.Failed failed) {
            ended(handled, queue.fail(job, failed.why()), tally);
        } else if (handled.outcome() instanceof Outcome.Refused refused) {
            putBack(
                    job,
                    handled.unfinished()
                            ? reservations.giveBack(
                                    job, refused.why(), refused.retryIn().orElse(Duration.ZERO))
                            : requeue(job, refused),
                    tally);
        }
    }

    private Requeued requeue(HeldJob<?> job, Outcome.Refused refused) {
        return refused.retryIn()
                .map(delay -> queue.requeue(job, refused.why(), delay))
                .orElseGet(() -> reservations.requeue(job, refused.why()));
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
