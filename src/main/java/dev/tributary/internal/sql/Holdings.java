package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.JOBS;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.with;

import dev.tributary.JobStatus;
import dev.tributary.db.tables.Jobs;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.Record1;
import org.jooq.ResultQuery;
import org.jooq.SelectForUpdateWaitStep;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/**
 * Reservations that one holder settles or renews in one statement, each guarded by its own token. Rows are locked in the
 * order of their ids, so that two such statements do not deadlock, and without the key, so that rows of others that refer
 * to a job (FOR KEY SHARE) are not in the way.
 *
 * @param ids the jobs
 * @param tokens the reservation of each
 * @param results what is kept of each, null for nothing
 */
public record Holdings(Long[] ids, UUID[] tokens, JSONB[] results) {
    private static final Jobs HELD = JOBS.as("held");

    /**
     * Waits for nobody: a row that another transaction has locked is left as it is, so that it does not keep the leases of the
     * others from being renewed.
     *
     * @return the tokens of those that are held, the rows left as they are among them
     */
    public ResultQuery<Record1<UUID>> renew(Duration lease) {
        CommonTableExpression<?> held = name("held").as(held().skipLocked());
        CommonTableExpression<?> renewed = name("renewed")
                .as(update(JOBS)
                        .set(JOBS.LEASE_UNTIL, Clock.in("lease_seconds", lease))
                        .set(JOBS.UPDATED_AT, Clock.now())
                        .from(held)
                        .where(JOBS.ID.eq(HELD.ID))
                        .returning(JOBS.ID));
        return with(held)
                .with(renewed)
                .select(JOBS.LOCK_TOKEN)
                .from(JOBS)
                .join(given())
                .on(isGiven());
    }

    /**
     * Waits for writers of the rows.
     *
     * @return the tokens of those that were still held; they are COMPLETED
     */
    public ResultQuery<Record1<UUID>> complete() {
        CommonTableExpression<?> held = name("held").as(held());
        return with(held)
                .update(JOBS)
                .set(Status.ended(JobStatus.COMPLETED))
                .set(JOBS.RESULT, HELD.RESULT)
                .from(held)
                .where(JOBS.ID.eq(HELD.ID))
                .returningResult(HELD.LOCK_TOKEN);
    }

    private SelectForUpdateWaitStep<?> held() {
        return select(JOBS.ID, JOBS.LOCK_TOKEN, given("result", SQLDataType.JSONB))
                .from(JOBS)
                .join(given())
                .on(isGiven())
                .orderBy(JOBS.ID)
                .forNoKeyUpdate()
                .of(JOBS);
    }

    private Table<Record> given() {
        return PlainSql.columns(
                List.of(param("ids", ids), param("tokens", tokens), param("results", results)),
                "given",
                List.of("id", "lock_token", "result"));
    }

    private static Condition isGiven() {
        return JOBS.ID
                .eq(given("id", SQLDataType.BIGINT))
                .and(Status.is(JOBS, JobStatus.RUNNING))
                .and(JOBS.LOCK_TOKEN.eq(given("lock_token", SQLDataType.UUID)));
    }

    private static <T> Field<T> given(String column, DataType<T> type) {
        return field(name("given", column), type);
    }
}
