package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.JOBS;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.least;
import static org.jooq.impl.DSL.when;

import dev.tributary.JobStatus;
import dev.tributary.Merge;
import dev.tributary.db.tables.Jobs;
import dev.tributary.db.tables.records.JobsRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jooq.Field;
import org.jooq.InsertOnDuplicateStep;
import org.jooq.InsertReturningStep;

/** The one PENDING job of a key, and what becomes of it when another job flows in. */
final class OnePending {
    /** The row that an INSERT proposed and that met the pending one. */
    static final Jobs EXCLUDED = JOBS.as("excluded");

    private OnePending() {}

    /**
     * The insert, or the update of the row in its way. There is no WHERE on DO UPDATE: a row that was met and then not
     * updated would lose the payload without a word.
     */
    static InsertReturningStep<JobsRecord> insertOrMerge(
            InsertOnDuplicateStep<JobsRecord> insert, Map<Field<?>, Field<?>> merged) {
        return insert.onConflict(JOBS.TYPE, JOBS.MERGE_KEY)
                .where(Status.is(JOBS, JobStatus.PENDING))
                .doUpdate()
                .set(merged);
    }

    /** The proposed row is a new enqueue: the pending job is the older. */
    static Map<Field<?>, Field<?>> enqueued(Merge merge) {
        Map<Field<?>, Field<?>> set = new LinkedHashMap<>();
        set.put(JOBS.CONFIG, merge.merge(JOBS.CONFIG, EXCLUDED.CONFIG));
        set.put(JOBS.PRIORITY, greatest(JOBS.PRIORITY, EXCLUDED.PRIORITY));
        set.put(JOBS.MAX_ATTEMPTS, EXCLUDED.MAX_ATTEMPTS);
        // New work hurries a job that was never refused, and never ends the backoff of one that was.
        set.put(JOBS.RUN_AT, when(JOBS.ATTEMPTS.gt(inline(0)), JOBS.RUN_AT).else_(least(JOBS.RUN_AT, EXCLUDED.RUN_AT)));
        set.put(JOBS.MERGE_COUNT, JOBS.MERGE_COUNT.plus(EXCLUDED.MERGE_COUNT).plus(inline(1)));
        set.put(JOBS.UPDATED_AT, Clock.now());
        return set;
    }

    /**
     * A refused job flows in: it is the older.
     *
     * @param pending the pending job
     * @param refused the refused one as {@link Refused#running} reads it
     */
    static Map<Field<?>, Field<?>> requeued(Merge merge, Jobs pending, Jobs refused) {
        Map<Field<?>, Field<?>> set = new LinkedHashMap<>();
        set.put(JOBS.CONFIG, merge.merge(refused.CONFIG, pending.CONFIG));
        set.put(JOBS.PRIORITY, greatest(pending.PRIORITY, refused.PRIORITY));
        // Carried over, so that a key which is always refused comes to its limit.
        set.put(JOBS.ATTEMPTS, greatest(pending.ATTEMPTS, refused.ATTEMPTS));
        set.put(
                JOBS.RUN_AT,
                // The delay of a refusal holds for its key. A job with all its attempts before it was not refused: it
                // is retried.
                when(
                                greatest(pending.ATTEMPTS, refused.ATTEMPTS).gt(inline(0)),
                                greatest(pending.RUN_AT, refused.RUN_AT))
                        .else_(least(pending.RUN_AT, refused.RUN_AT)));
        set.put(JOBS.LAST_ERROR, refused.LAST_ERROR);
        set.put(JOBS.MERGE_COUNT, pending.MERGE_COUNT.plus(refused.MERGE_COUNT));
        set.put(JOBS.FIRST_ENQUEUED_AT, least(pending.FIRST_ENQUEUED_AT, refused.FIRST_ENQUEUED_AT));
        set.put(JOBS.UPDATED_AT, Clock.now());
        return set;
    }
}
