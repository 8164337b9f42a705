package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.JOBS;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.lead;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.partitionBy;
import static org.jooq.impl.DSL.rowNumber;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.when;
import static org.jooq.impl.DSL.withRecursive;

import dev.tributary.JobType;
import dev.tributary.Merge;
import java.util.Optional;
import org.jooq.CommonTableExpression;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/**
 * Enqueues many payloads in one statement. One INSERT may not meet a row twice (21000), so payloads of one key are first
 * folded into one, neighbour with neighbour, in as many rounds as halve them to one; that is right because a {@link Merge} is
 * associative. Keys are inserted in order, so that two calls with the same keys wait for each other instead of deadlocking.
 */
public final class EnqueueAll {
    private static final Field<String> KEY = field(name("merge_key"), SQLDataType.VARCHAR);
    private static final Field<JSONB> CONFIG = field(name("config"), SQLDataType.JSONB);
    private static final Field<JSONB> NEXT = field(name("next_config"), SQLDataType.JSONB);
    /** The place of a payload among those of its key, from 1. */
    private static final Field<Long> N = field(name("n"), SQLDataType.BIGINT);
    /** How many payloads of the key are left in this round. */
    private static final Field<Long> OF = field(name("n_of"), SQLDataType.BIGINT);
    /** How many payloads of the key the call brought. */
    private static final Field<Long> REQUESTS = field(name("requests"), SQLDataType.BIGINT);

    private static final Table<?> FOLDED = table(name("folded"));

    private EnqueueAll() {}

    /**
     * @param keys a key for each payload
     * @param channel where new jobs are told of; empty: nowhere
     * @return a row a key: id, merge_key and merge_count, which is the number of its payloads less one if the job was inserted; no
     *     rows at all if the payload of any key would be too large
     */
    public static ResultQuery<Record> keyed(
            JobType<?> type, Merge merge, String[] keys, JSONB[] configs, Optional<String> channel) {
        return OnePending.insertOrMerge(
                        withRecursive(fold(merge, keys, configs))
                                .insertInto(JOBS)
                                .columns(JOBS.TYPE, JOBS.MERGE_KEY, JOBS.CONFIG, JOBS.MAX_ATTEMPTS, JOBS.MERGE_COUNT)
                                .select(select(
                                                param("type", type.name()),
                                                KEY,
                                                CONFIG,
                                                param("max_attempts", type.maxAttempts()),
                                                REQUESTS.minus(inline(1L)).cast(SQLDataType.INTEGER))
                                        .from(FOLDED)
                                        .where(OF.eq(inline(1L)))
                                        .and(PlainSql.notExists(FullJobs.folded(type, merge)))
                                        .orderBy(KEY)),
                        OnePending.enqueued(merge))
                .returningResult(Notify.returning(channel, type, JOBS.ID, JOBS.MERGE_KEY, JOBS.MERGE_COUNT));
    }

    /** The payloads of each key become one; in the end the rows in which one of one is left. */
    static CommonTableExpression<?> fold(Merge merge, String[] keys, JSONB[] configs) {
        Table<?> requests = PlainSql.requests(param("keys", keys), param("configs", configs), "requests");
        Field<Integer> count = count().over(partitionBy(KEY));
        return name("folded")
                .fields(KEY.getName(), CONFIG.getName(), N.getName(), OF.getName(), REQUESTS.getName())
                .as(select(
                                KEY,
                                CONFIG,
                                rowNumber().over(partitionBy(KEY).orderBy(N)).coerce(N),
                                count.coerce(OF),
                                count.coerce(OF))
                        .from(requests)
                        .unionAll(select(
                                        KEY,
                                        when(NEXT.isNull(), CONFIG).else_(merge.merge(CONFIG, NEXT)),
                                        half(N),
                                        half(OF),
                                        REQUESTS)
                                .from(select(
                                                KEY,
                                                CONFIG,
                                                lead(CONFIG)
                                                        .over(partitionBy(KEY).orderBy(N))
                                                        .as(NEXT),
                                                N,
                                                OF,
                                                REQUESTS)
                                        .from(FOLDED)
                                        .where(OF.gt(inline(1L)))
                                        .asTable("neighbours"))
                                .where(N.mod(inline(2L)).eq(inline(1L)))));
    }

    /** @return the ids of the jobs, ascending in the order of the payloads */
    public static ResultQuery<Record> unkeyed(JobType<?> type, JSONB[] configs, Optional<String> channel) {
        Table<?> requests = PlainSql.requests(param("keys", new String[0]), param("configs", configs), "requests");
        return insertInto(JOBS)
                .columns(JOBS.TYPE, JOBS.CONFIG, JOBS.MAX_ATTEMPTS)
                .select(select(param("type", type.name()), CONFIG, param("max_attempts", type.maxAttempts()))
                        .from(requests)
                        .orderBy(N))
                .returningResult(Notify.returning(channel, type, JOBS.ID));
    }

    private static Field<Long> half(Field<Long> n) {
        return n.plus(inline(1L)).div(inline(2L));
    }
}
