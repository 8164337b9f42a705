package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.JOBS;
import static dev.tributary.internal.sql.Refused.RUNNING;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.with;

import dev.tributary.JobStatus;
import dev.tributary.Merge;
import dev.tributary.db.tables.Jobs;
import org.jooq.CommonTableExpression;
import org.jooq.Record1;
import org.jooq.ResultQuery;

/**
 * First step of a requeue: merges the refused job into the PENDING job of its type and key, and closes it. Locks the running
 * row, then the pending one; waits for writers of either.
 */
public final class MergeIntoPending {
    private static final Jobs PENDING = JOBS.as("pending");
    private static final Jobs MERGED = JOBS.as("merged");

    private MergeIntoPending() {}

    /** @return the absorbing job; no row if there is nothing to merge into or the lease is lost */
    public static ResultQuery<Record1<Long>> query(Refused refused, Merge merge) {
        CommonTableExpression<?> running = refused.running();
        CommonTableExpression<?> merged = name("merged")
                .as(update(PENDING)
                        .set(OnePending.requeued(merge, PENDING, RUNNING))
                        .from(running)
                        .where(Status.is(PENDING, JobStatus.PENDING))
                        .and(PENDING.TYPE.eq(RUNNING.TYPE))
                        .and(PENDING.MERGE_KEY.eq(RUNNING.MERGE_KEY))
                        .returningResult(PENDING.ID));
        return with(running)
                .with(merged)
                .update(JOBS)
                .set(refused.mergedInto(MERGED.ID))
                .from(merged)
                .where(JOBS.ID.eq(select(RUNNING.ID).from(running)))
                .returningResult(MERGED.ID);
    }
}
