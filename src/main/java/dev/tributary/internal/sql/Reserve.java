package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.JOBS;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.with;

import dev.tributary.JobStatus;
import dev.tributary.db.tables.Jobs;
import dev.tributary.db.tables.records.JobsRecord;
import java.time.Duration;
import java.util.Map;
import org.jooq.CommonTableExpression;
import org.jooq.Field;
import org.jooq.ResultQuery;

/** Takes due jobs, each under a token of its own. Passes over rows that others have locked; waits for nobody. */
public final class Reserve {
    private static final Jobs DUE = JOBS.as("due");

    private Reserve() {}

    /** @return the reserved jobs, in no order */
    public static ResultQuery<JobsRecord> query(String type, int limit, Duration lease, String holder) {
        // A CTE with FOR UPDATE is computed once. As IN (SELECT … LIMIT) it may be computed for each row of the outer
        // scan, and takes more than the limit.
        CommonTableExpression<?> due = name("due")
                .as(select(JOBS.ID)
                        .from(JOBS)
                        .where(JOBS.TYPE.eq(param("type", type)))
                        .and(Status.is(JOBS, JobStatus.PENDING))
                        .and(JOBS.RUN_AT.le(Clock.now()))
                        .orderBy(JOBS.PRIORITY.desc(), JOBS.RUN_AT, JOBS.ID)
                        .limit(param("limit", limit))
                        .forUpdate()
                        .skipLocked());
        Map<Field<?>, Field<?>> set = Status.held(Clock.in("lease_seconds", lease), holder);
        set.put(JOBS.ATTEMPTS, JOBS.ATTEMPTS.plus(inline(1)));
        set.put(JOBS.STARTED_AT, Clock.now());
        return with(due)
                .update(JOBS)
                .set(set)
                .from(due)
                .where(JOBS.ID.eq(DUE.ID))
                .returning(JOBS.fields());
    }
}
