package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.JOBS;
import static dev.tributary.internal.sql.Refused.RUNNING;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.with;

import dev.tributary.Merge;
import dev.tributary.db.tables.Jobs;
import org.jooq.CommonTableExpression;
import org.jooq.Field;
import org.jooq.Record1;
import org.jooq.ResultQuery;

/**
 * Last step of a requeue, when a PENDING job appeared between the first two: inserts the refused payload as a PENDING job, or
 * merges it into the one that is there, and closes the refused job. INSERT waits for whoever holds the key and then does the
 * one or the other, so it cannot collide.
 */
public final class CarryOver {
    private static final Jobs CARRIED = JOBS.as("carried");

    private CarryOver() {}

    /** @return the absorbing job; no row if the lease is lost */
    public static ResultQuery<Record1<Long>> query(Refused refused, Merge merge) {
        CommonTableExpression<?> running = refused.running();
        CommonTableExpression<?> carried = name("carried")
                .as(OnePending.insertOrMerge(
                                insertInto(JOBS)
                                        .columns(taken(JOBS))
                                        .select(select(taken(RUNNING)).from(running)),
                                OnePending.requeued(merge, JOBS, OnePending.EXCLUDED))
                        .returningResult(JOBS.ID));
        return with(running)
                .with(carried)
                .update(JOBS)
                .set(refused.carriedOverInto(CARRIED.ID))
                .from(carried)
                .where(JOBS.ID.eq(select(RUNNING.ID).from(running)))
                .returningResult(CARRIED.ID);
    }

    private static Field<?>[] taken(Jobs jobs) {
        return new Field<?>[] {
            jobs.TYPE,
            jobs.MERGE_KEY,
            jobs.CONFIG,
            jobs.PRIORITY,
            jobs.ATTEMPTS,
            jobs.MAX_ATTEMPTS,
            jobs.MERGE_COUNT,
            jobs.FIRST_ENQUEUED_AT,
            jobs.RUN_AT,
            jobs.LAST_ERROR
        };
    }
}
