package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.JOBS;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.with;

import dev.tributary.JobStatus;
import dev.tributary.db.tables.Jobs;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jooq.CommonTableExpression;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.Record1;
import org.jooq.ResultQuery;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/**
 * Reservations that one holder settles in one statement, each guarded by its own token. The rows are locked in the order of
 * their ids first, so that two such statements wait for each other and do not deadlock.
 *
 * @param ids the jobs
 * @param tokens the reservation of each
 * @param results what is kept of each, null for nothing
 */
public record Holdings(Long[] ids, UUID[] tokens, JSONB[] results) {
    private static final Jobs HELD = JOBS.as("held");

    /** @return the tokens of those that are still held; their leases end so long from now */
    public ResultQuery<Record1<UUID>> renew(Duration lease) {
        Map<Field<?>, Field<?>> set = new LinkedHashMap<>();
        set.put(JOBS.LEASE_UNTIL, Clock.in("lease_seconds", lease));
        set.put(JOBS.UPDATED_AT, Clock.now());
        return settle(set);
    }

    /** @return the tokens of those that were still held; they are COMPLETED */
    public ResultQuery<Record1<UUID>> complete() {
        Map<Field<?>, Field<?>> set = Status.ended(JobStatus.COMPLETED);
        set.put(JOBS.RESULT, HELD.RESULT);
        return settle(set);
    }

    private ResultQuery<Record1<UUID>> settle(Map<Field<?>, Field<?>> set) {
        Table<Record> given =
                PlainSql.holdings(param("ids", ids), param("tokens", tokens), param("results", results), "given");
        CommonTableExpression<?> held = name("held")
                .as(select(JOBS.ID, JOBS.LOCK_TOKEN, given("result", SQLDataType.JSONB))
                        .from(JOBS)
                        .join(given)
                        .on(JOBS.ID.eq(given("id", SQLDataType.BIGINT)))
                        .where(Status.is(JOBS, JobStatus.RUNNING))
                        .and(JOBS.LOCK_TOKEN.eq(given("lock_token", SQLDataType.UUID)))
                        .orderBy(JOBS.ID)
                        .forUpdate()
                        .of(JOBS));
        return with(held)
                .update(JOBS)
                .set(set)
                .from(held)
                .where(JOBS.ID.eq(HELD.ID))
                .returningResult(HELD.LOCK_TOKEN);
    }

    private static <T> Field<T> given(String column, DataType<T> type) {
        return field(name("given", column), type);
    }
}
