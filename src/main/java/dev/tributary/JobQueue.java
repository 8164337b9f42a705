package dev.tributary;

import static dev.tributary.db.Tables.JOBS;

import dev.tributary.internal.Arguments;
import dev.tributary.internal.CallerTransaction;
import dev.tributary.internal.Dialect;
import dev.tributary.internal.OwnTransactions;
import dev.tributary.internal.Steps;
import dev.tributary.internal.sql.Enqueue;
import dev.tributary.internal.sql.Find;
import dev.tributary.internal.sql.Notify;
import dev.tributary.internal.sql.Reserve;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jooq.ConnectionProvider;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.impl.DefaultConnectionProvider;
import org.jspecify.annotations.Nullable;

/**
 * The queue: work is enqueued, reserved under a lease, and settled by the holder of the reservation. Work of one key flows
 * into one pending job. Safe for use by several threads, except within a caller's transaction.
 *
 * <p>Every method may throw jOOQ's {@link org.jooq.exception.DataAccessException} for an error of the database, with its
 * SQLSTATE. Bad arguments are refused before any SQL by subclasses of {@link TributaryException}. A null argument is one.
 */
public final class JobQueue {

    final String schema;
    private final Optional<String> channel;
    final Steps steps;
    final PutBack putBack;
    private final Settlement settlement;

    private JobQueue(String schema, Optional<String> channel, Steps steps) {
        this.schema = schema;
        this.channel = channel;
        this.steps = steps;
        this.putBack = new PutBack(steps);
        this.settlement = new Settlement(steps);
    }

    /** {@link #on(DataSource, String)} in the schema {@value TributarySchema#DEFAULT}. */
    public static JobQueue on(DataSource ds) {
        return on(ds, TributarySchema.DEFAULT);
    }

    /**
     * A queue with transactions of its own: every step is one at READ COMMITTED, run again up to four times after a
     * deadlock or a serialization failure. Any auto-commit mode and default isolation of the connections will do.
     *
     * @param ds a pool, best; not a proxy that joins the caller's transaction, for which there is {@link #within(Connection)}
     * @param schema where {@link TributarySchema#migrate(DataSource, String)} made the tables
     * @throws InvalidArgument if an argument is null or the name of the schema is not usable
     */
    public static JobQueue on(DataSource ds, String schema) {
        Arguments.notNull("the DataSource", ds);
        Steps steps = new OwnTransactions(ds, new Dialect(Arguments.schema(schema)));
        return new JobQueue(schema, Optional.of(Notify.channel(schema)), steps);
    }

    /**
     * The same queue in the caller's transaction: what it does takes effect when the caller commits. It never commits, rolls
     * back or changes the transaction, and passes deadlocks (40P01) and serialization failures (40001) on for the caller to
     * run the whole again. A requeue works under a savepoint. Locks are held until the caller's transaction ends.
     *
     * @param tx open, not in auto-commit mode, or the first use throws {@link NoTransaction}
     */
    public JobQueue within(Connection tx) {
        return within(new DefaultConnectionProvider(Arguments.notNull("the connection", tx)));
    }

    /**
     * As {@link #within(Connection)}, in the transaction of the context's connection. Only the connection is taken from the
     * context; its settings and listeners do not apply to the statements of the queue. A context on a pool is no
     * transaction: {@link NoTransaction}.
     */
    public JobQueue within(DSLContext tx) {
        return within(Arguments.notNull("the DSLContext", tx).configuration().connectionProvider());
    }

    private JobQueue within(ConnectionProvider tx) {
        return new JobQueue(schema, channel, new CallerTransaction(tx, new Dialect(schema)));
    }

    /**
     * The same queue, whose enqueues do not wake workers that listen; those find its jobs when they poll. For prepared (XA)
     * transactions, which PostgreSQL refuses after a NOTIFY, and for many producers: commits that notify take turns.
     */
    public JobQueue withoutNotify() {
        return new JobQueue(schema, Optional.empty(), steps);
    }

    /**
     * The same queue, whose statements wait at most so long for a row that another transaction has locked. Then they throw a
     * {@link org.jooq.exception.DataAccessException} with SQLSTATE 55P03, and nothing was changed.
     *
     * @param longest more than zero; counted in milliseconds, of which it is at least one
     * @throws InvalidArgument if it is out of range, or the queue is within a caller's transaction, whose lock_timeout is the
     *     caller's to set
     */
    public JobQueue withLockTimeout(Duration longest) {
        Arguments.positive("the lock timeout", longest);
        return new JobQueue(schema, channel, OwnTransactions.of(steps).withLockTimeout(longest));
    }

    /** {@link #enqueue(JobType, Object, EnqueueOptions)}, due at once, with priority 0. */
    public <P> Enqueued enqueue(JobType<P> type, P payload) {
        return enqueue(type, payload, EnqueueOptions.defaults());
    }

    /**
     * Inserts a pending job, or merges the payload into the pending job of its key, whose row it then locks until the
     * transaction ends. It waits for another transaction that holds that row. Merging takes the higher priority; it makes
     * the job due earlier if the options say so, but not if the job waits after a refusal.
     *
     * @throws InvalidPayload if the payload is null or cannot be stored as it is
     * @throws InvalidKey if the key function throws or returns an unusable key
     * @throws PendingJobFull if the pending job, merged, would be larger than the type allows
     */
    public <P> Enqueued enqueue(JobType<P> type, P payload, EnqueueOptions options) {
        Request request = Request.of(Arguments.notNull("the job type", type), payload);
        Arguments.areNotNull("the options", options);
        Record job = steps.run(
                        tx -> tx.fetchOptional(Enqueue.query(type, request.key(), request.config(), options, channel)))
                .orElseThrow(() -> PendingJobFull.of(type, List.of(String.valueOf(request.key()))));
        long id = job.get(JOBS.ID);
        return job.get(JOBS.MERGE_COUNT) == 0 ? new Enqueued.Inserted(id) : new Enqueued.Merged(id);
    }

    /**
     * Enqueues all payloads in one statement, due at once, with priority 0; all of them or, if it throws, none. Rows are locked
     * in the order of their keys, so that calls with the same keys wait for each other and do not deadlock.
     *
     * @param payloads any number, keys in any order and repeated
     * @return an answer for each payload, in order; the first of a new job is {@code Inserted}, the others {@code Merged}
     * @throws TributaryException as {@link #enqueue} does, naming the index of the payload
     */
    public <P> List<Enqueued> enqueueAll(JobType<P> type, List<P> payloads) {
        List<Request> requests =
                Request.all(Arguments.notNull("the job type", type), Arguments.areNotNull("the payloads", payloads));
        return requests.isEmpty() ? List.of() : steps.run(new Batch(type, requests, channel)::enqueue);
    }

    /**
     * Reserves due jobs: they are RUNNING, each under a token of its own, until they are settled or the lease expires. Rows
     * that others have locked are passed over. Several jobs of a key may run at once: one reserved, a newer one after it.
     *
     * @param limit at most so many jobs, at least 1
     * @param lease how long until {@link #rescue} may take a job back; more than zero
     * @return most urgent first (priority, then due time, then id), maybe empty
     * @throws InvalidArgument if the limit or the lease is out of range
     */
    public <P> List<ReservedJob<P>> reserve(JobType<P> type, int limit, Duration lease) {
        Arguments.notNull("the job type", type);
        Arguments.atLeastOne("the limit", limit);
        Arguments.positive("the lease", lease);
        return Reservation.of(type, steps.run(tx -> tx.fetch(Reserve.query(type, limit, lease, PutBack.HOLDER))));
    }

    /** {@link #complete(ReservedJob, Object)} without a result. */
    public Settled complete(ReservedJob<?> job) {
        return complete(job, null);
    }

    /**
     * Ends a job as COMPLETED. Newer work of its key is another job and is left alone.
     *
     * @param result kept with the job, as JSON by Jackson; null for none
     * @throws InvalidPayload if the result cannot be stored as JSON
     */
    public Settled complete(ReservedJob<?> job, @Nullable Object result) {
        return settlement.complete(job, result);
    }

    /** {@link #requeue(ReservedJob, String, Duration)} with the delay of the type's {@link Backoff}. */
    public Requeued requeue(ReservedJob<?> job, @Nullable String reason) {
        return requeue(job, reason, PutBack.backoff(Arguments.notNull("the reserved job", job)));
    }

    /**
     * Puts a refused job back: it merges into the pending job of its key, or becomes pending again itself if there is none;
     * whatever others do meanwhile, it never collides. After its last attempt it fails instead. Locks the job and the pending
     * job of its key; waits for other writers of both.
     *
     * @param reason why; stored with what PostgreSQL cannot store replaced, cut at 8,192 bytes
     * @param delay how long its key waits, zero or more
     * @throws InvalidArgument if the delay is out of range
     */
    public Requeued requeue(ReservedJob<?> job, @Nullable String reason, Duration delay) {
        Arguments.delay("the delay", delay);
        return putBack.refused(Arguments.notNull("the reserved job", job), reason, delay);
    }

    /**
     * Ends a job as FAILED, with its payload kept for {@link #retry}.
     *
     * @param error why; stored as the reason of a requeue is
     */
    public Settled fail(ReservedJob<?> job, @Nullable String error) {
        return settlement.fail(job, error);
    }

    /** Makes the lease of a job end so long from now; more than zero. */
    public Settled renew(ReservedJob<?> job, Duration lease) {
        Arguments.positive("the lease", lease);
        return settlement.renew(job, lease);
    }

    /**
     * Puts back jobs whose lease has expired, as {@link #requeue} does, with the type's backoff and the reason "lease
     * expired". It first takes the jobs over, so that their late holders change nothing any more, then puts them back one by
     * one, each in a transaction of its own. A job that cannot be put back (its merge raises an error, a lock does not come) is
     * logged, not among the answers, and left for a later rescue; the others go on. Within the caller's transaction such an
     * error is thrown, and ends that transaction.
     *
     * @param limit at most so many jobs, at least 1
     * @throws InvalidArgument if the limit is below 1
     */
    public Rescued rescue(JobType<?> type, int limit) {
        Arguments.notNull("the job type", type);
        Arguments.atLeastOne("the limit", limit);
        return putBack.expired(type, limit);
    }

    /**
     * Gives a FAILED job all its attempts again and puts it back, due at once, by the path of {@link #requeue}, all in one
     * transaction. If it merges into a job that waits after a refusal, it waits with that one.
     *
     * @return what became of it; empty, and nothing changed, if there is no FAILED job of that type and id
     */
    public Optional<Requeued> retry(JobType<?> type, long failedJobId) {
        return putBack.failed(Arguments.notNull("the job type", type), failedJobId);
    }

    /** Reads a job. */
    public Optional<Job> find(long jobId) {
        return steps.run(tx -> tx.fetchOptional(Find.query(jobId))).map(Job::of);
    }
}
