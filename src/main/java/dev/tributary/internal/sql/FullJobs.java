package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.JOBS;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.when;
import static org.jooq.impl.DSL.withRecursive;

import dev.tributary.JobStatus;
import dev.tributary.JobType;
import dev.tributary.Merge;
import dev.tributary.db.tables.Jobs;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Record1;
import org.jooq.ResultQuery;
import org.jooq.Select;
import org.jooq.impl.SQLDataType;

/**
 * Enqueues that would make a payload larger than the cap of its type. An enqueue looks before it writes, and takes no lock
 * for it.
 */
public final class FullJobs {
    private static final Jobs FULL = JOBS.as("full_jobs");

    private FullJobs() {}

    /** Which of the keys {@link EnqueueAll} refuses. */
    public static ResultQuery<Record1<String>> query(JobType<?> type, Merge merge, String[] keys, JSONB[] configs) {
        Field<String> key = field(name("merge_key"), SQLDataType.VARCHAR);
        return withRecursive(EnqueueAll.fold(merge, keys, configs))
                .select(key)
                .from(folded(type, merge).asTable("full_keys"))
                .orderBy(key);
    }

    /** A row if the pending job of the key would be too large with the payload. */
    static Select<Record1<Integer>> with(JobType<?> type, Merge merge, Field<String> key, Field<JSONB> config) {
        return selectOne().from(FULL).where(isPending(type, key)).and(isTooLarge(type, merge, FULL.CONFIG, config));
    }

    /** The keys of the folded requests whose payload would be too large, alone or with that of the pending job. */
    static Select<Record1<String>> folded(JobType<?> type, Merge merge) {
        Field<String> key = field(name("folded", "merge_key"), SQLDataType.VARCHAR);
        Field<JSONB> config = field(name("folded", "config"), SQLDataType.JSONB);
        Field<Long> requests = field(name("folded", "requests"), SQLDataType.BIGINT);
        return select(key)
                .from(name("folded"))
                .leftJoin(FULL)
                .on(isPending(type, key))
                .where(field(name("folded", "n_of"), SQLDataType.BIGINT).eq(inline(1L)))
                .and(isTooLarge(type, merge, FULL.CONFIG, config)
                        // One alone has been looked at before it was sent.
                        .or(FULL.ID
                                .isNull()
                                .and(requests.gt(inline(1L)))
                                .and(Json.bytes(config).gt(cap(type)))));
    }

    private static Condition isPending(JobType<?> type, Field<String> key) {
        return FULL.TYPE
                .eq(param("type", type.name()))
                .and(FULL.MERGE_KEY.eq(key))
                .and(Status.is(FULL, JobStatus.PENDING));
    }

    /** CASE, so that what costs most, merging to look at the size, is done near the cap only. */
    private static Condition isTooLarge(JobType<?> type, Merge merge, Field<JSONB> older, Field<JSONB> newer) {
        return condition(when(
                        Json.bytes(older).plus(Json.bytes(newer)).gt(cap(type)),
                        field(Json.bytes(merge.merge(older, newer)).gt(cap(type))))
                .else_(inline(false)));
    }

    private static Field<Integer> cap(JobType<?> type) {
        return param("max_payload_bytes", type.maxPayloadBytes());
    }
}
