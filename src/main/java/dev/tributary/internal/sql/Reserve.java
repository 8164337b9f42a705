package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.JOBS;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.power;
import static org.jooq.impl.DSL.rand;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.with;

import dev.tributary.JobStatus;
import dev.tributary.JobType;
import dev.tributary.db.tables.Jobs;
import dev.tributary.db.tables.records.JobsRecord;
import java.time.Duration;
import java.util.Map;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record1;
import org.jooq.ResultQuery;
import org.jooq.Select;
import org.jooq.SelectConditionStep;
import org.jooq.impl.SQLDataType;

/** Takes due jobs, each under a token of its own. */
public final class Reserve {
    private static final Jobs DUE = JOBS.as("due");
    private static final Jobs RUNNING = JOBS.as("running");

    /** The transaction that locks a row, or was the last to (<a
     * href="https://www.postgresql.org/docs/18/ddl-system-columns.html">System Columns</a>). */
    private static final Field<?> XMAX = field(JOBS.getQualifiedName().append("xmax"));

    private Reserve() {}

    /**
     * Passes over rows that others have locked; waits for nobody.
     *
     * @return the reserved jobs, in no order
     */
    public static ResultQuery<JobsRecord> query(JobType<?> type, int limit, Duration lease, String holder) {
        return reserve(
                due(type, JOBS.RUN_AT.le(Clock.now()))
                        .orderBy(JOBS.PRIORITY.desc(), JOBS.RUN_AT, JOBS.ID)
                        .limit(param("limit", limit))
                        .forNoKeyUpdate()
                        .skipLocked(),
                lease,
                holder);
    }

    /**
     * Waits for the lock of a job that has been due for so long: one whose row producers have handed to each other all the
     * while. That one was locked by a younger transaction than rows which a long one keeps, so it comes first most of the
     * time; but not always, so that none stands before the others for good.
     *
     * @return the reserved job, or no row; raises 55P03 if the lock_timeout passes
     */
    public static ResultQuery<JobsRecord> overdue(JobType<?> type, Duration overdue, Duration lease, String holder) {
        return reserve(
                due(type, JOBS.RUN_AT.le(Clock.ago("overdue_seconds", overdue)))
                        .orderBy(power(function("age", SQLDataType.INTEGER, XMAX), inline(2))
                                .times(rand()))
                        .limit(inline(1))
                        .forNoKeyUpdate(),
                lease,
                holder);
    }

    private static SelectConditionStep<Record1<Long>> due(JobType<?> type, Condition due) {
        return select(JOBS.ID)
                .from(JOBS)
                .where(JOBS.TYPE.eq(param("type", type.name())))
                .and(Status.is(JOBS, JobStatus.PENDING))
                .and(due)
                .and(type.serialPerKey() ? noneOfTheKeyRuns() : noCondition());
    }

    /**
     * A PENDING job of a key is inserted only after the reservation of the one before has committed, so whoever sees the
     * one sees that the other runs.
     */
    private static Condition noneOfTheKeyRuns() {
        return PlainSql.notExists(selectOne()
                .from(RUNNING)
                .where(Status.is(RUNNING, JobStatus.RUNNING))
                .and(RUNNING.TYPE.eq(JOBS.TYPE))
                .and(RUNNING.MERGE_KEY.eq(JOBS.MERGE_KEY)));
    }

    private static ResultQuery<JobsRecord> reserve(Select<Record1<Long>> rows, Duration lease, String holder) {
        // A CTE with FOR UPDATE is computed once. As IN (SELECT … LIMIT) it may be computed for each row of the outer
        // scan, and takes more than the limit.
        CommonTableExpression<?> due = name("due").as(rows);
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
