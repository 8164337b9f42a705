package dev.tributary;

import static dev.tributary.db.Tables.JOBS;

import dev.tributary.internal.Arguments;
import dev.tributary.internal.Chance;
import dev.tributary.internal.Steps;
import dev.tributary.internal.sql.Holdings;
import dev.tributary.internal.sql.LockTimeout;
import dev.tributary.internal.sql.Reserve;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jooq.JSONB;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** What the holder of many reservations does with them at once. A {@link dev.tributary.worker.Worker} uses it for you. */
public final class Reservations {
    private static final Duration LONGEST_WAIT = Duration.ofMillis(500);

    private final Steps steps;
    private final PutBack putBack;

    private Reservations(JobQueue queue) {
        steps = queue.steps;
        putBack = queue.putBack;
    }

    /** In the transactions of the queue: its own, or the caller's. */
    public static Reservations of(JobQueue queue) {
        return new Reservations(Arguments.notNull("the queue", queue));
    }

    /**
     * A job that is done.
     *
     * @param job reserved
     * @param result kept with the job as JSON, null for none
     */
    public record Done(ReservedJob<?> job, @Nullable Object result) {
        /** @throws InvalidArgument if the job is null */
        public Done {
            Arguments.notNull("the reserved job", job);
        }
    }

    /**
     * {@link JobQueue#complete} for many jobs in one statement, in the order of their ids.
     *
     * @return the lock tokens of those that were still held; the leases of the others are lost, and nothing of them was changed
     * @throws InvalidPayload if a result cannot be stored as JSON; then nothing was changed
     * @throws InvalidArgument if the list or one in it is null
     */
    public Set<UUID> complete(List<Done> done) {
        Arguments.areNotNull("the done jobs", done).forEach(job -> Arguments.notNull("a done job", job));
        JSONB[] results = done.stream().map(Reservations::result).toArray(JSONB[]::new);
        Holdings holdings =
                holdings(done.stream().<ReservedJob<?>>map(Done::job).toList(), results);
        return done.isEmpty()
                ? Set.of()
                : steps.run(tx -> tx.fetch(holdings.complete()).intoSet(JOBS.LOCK_TOKEN));
    }

    /**
     * {@link JobQueue#renew} for many jobs in one statement. It waits for nobody: a job whose row another transaction has locked
     * just now, say one that settles it, is not renewed, though still held. Call it several times in a lease.
     *
     * @param lease from now, more than zero
     * @return the lock tokens of those that are still held; the leases of the others are lost
     * @throws InvalidArgument if the list or one in it is null, or the lease is out of range
     */
    public Set<UUID> renew(List<? extends ReservedJob<?>> jobs, Duration lease) {
        Arguments.areNotNull("the reserved jobs", jobs).forEach(job -> Arguments.notNull("a reserved job", job));
        Arguments.positive("the lease", lease);
        Holdings holdings = holdings(jobs, new JSONB[jobs.size()]);
        return jobs.isEmpty()
                ? Set.of()
                : steps.run(tx -> tx.fetch(holdings.renew(lease)).intoSet(JOBS.LOCK_TOKEN));
    }

    /**
     * Reserves a job that {@link JobQueue#reserve} passes over because there is always a producer that has its row locked: waits
     * for the lock, half a second at most. Not within a caller's transaction, which a lock that does not come would end.
     *
     * @param overdue how long the job has been due at least, zero or more
     * @param lease more than zero
     * @return the job; empty if none is overdue or its lock did not come
     */
    public <P> Optional<ReservedJob<P>> reserveOverdue(JobType<P> type, Duration overdue, Duration lease) {
        Arguments.notNull("the job type", type);
        Arguments.delay("overdue", overdue);
        Arguments.positive("the lease", lease);
        try {
            return steps.run(tx -> {
                        tx.fetch(LockTimeout.query(LONGEST_WAIT));
                        return tx.fetchOptional(Reserve.overdue(type, overdue, lease, PutBack.HOLDER));
                    })
                    .map(row -> new Reservation<>(type, row));
        } catch (DataAccessException e) {
            if (Chance.isTimeout(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * {@link JobQueue#requeue(ReservedJob, String)} for who has nobody to tell that the type's {@link Backoff} throws or cannot be
     * used: {@link Backoff#DEFAULT} then takes its place, and a line at warn says so.
     */
    public Requeued requeue(ReservedJob<?> job, @Nullable String reason) {
        Arguments.notNull("the reserved job", job);
        return putBack.refused(job, reason, PutBack.backoffOrDefault(job));
    }

    /**
     * {@link JobQueue#requeue(ReservedJob, String, Duration)} for a job that was not worked on to its end, as when the holder shuts
     * down: the reservation does not count as an attempt.
     */
    public Requeued giveBack(ReservedJob<?> job, @Nullable String reason, Duration delay) {
        Arguments.delay("the delay", delay);
        return putBack.givenBack(Arguments.notNull("the reserved job", job), reason, delay);
    }

    private static @Nullable JSONB result(Done done) {
        return JsonCodec.written("the result of " + done.job(), done.result());
    }

    private static Holdings holdings(List<? extends ReservedJob<?>> jobs, JSONB[] results) {
        return new Holdings(
                jobs.stream().map(ReservedJob::id).toArray(Long[]::new),
                jobs.stream().map(ReservedJob::lockToken).toArray(UUID[]::new),
                results);
    }
}
