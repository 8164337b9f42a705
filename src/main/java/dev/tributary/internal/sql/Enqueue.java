package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.JOBS;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import dev.tributary.EnqueueOptions;
import dev.tributary.JobType;
import dev.tributary.Merge;
import dev.tributary.db.tables.records.JobsRecord;
import java.util.Optional;
import org.jooq.Field;
import org.jooq.InsertOnDuplicateStep;
import org.jooq.InsertReturningStep;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Inserts a PENDING job, or merges the payload into the one that its key has. It waits for a transaction that holds that
 * job, and then merges into it or, if it is pending no more, inserts.
 */
public final class Enqueue {
    private Enqueue() {}

    /**
     * @param key null exactly for a type that does not merge
     * @param channel where a new job that is due is told of; empty: nowhere
     * @return id and merge_count of the job, 0 if it was inserted; no row if the pending job of the key would be too large
     */
    public static ResultQuery<Record> query(
            JobType<?> type, @Nullable String key, JSONB config, EnqueueOptions options, Optional<String> channel) {
        return type.merge()
                .map(merge -> answer(keyed(type, key, merge, config, options), type, channel))
                .orElseGet(() -> answer(unkeyed(type, config, options), type, channel));
    }

    private static InsertReturningStep<JobsRecord> keyed(
            JobType<?> type, @Nullable String key, Merge merge, JSONB config, EnqueueOptions options) {
        Field<String> mergeKey = param("key", key);
        // OFFSET keeps PostgreSQL from flattening this away: each use of the payload would read its text again.
        Table<?> request =
                select(param("config", config).as("config")).offset(inline(0)).asTable("request");
        Field<JSONB> payload = field(name("request", "config"), SQLDataType.JSONB);
        InsertOnDuplicateStep<JobsRecord> insert = insertInto(JOBS)
                .columns(JOBS.TYPE, JOBS.MERGE_KEY, JOBS.CONFIG, JOBS.PRIORITY, JOBS.MAX_ATTEMPTS, JOBS.RUN_AT)
                .select(select(
                                param("type", type.name()),
                                mergeKey,
                                payload,
                                param("priority", options.priority()),
                                param("max_attempts", type.maxAttempts()),
                                Clock.in("delay_seconds", options.delay()))
                        .from(request)
                        .where(PlainSql.notExists(FullJobs.with(type, merge, mergeKey, payload))));
        return OnePending.insertOrMerge(insert, OnePending.enqueued(merge));
    }

    private static InsertReturningStep<JobsRecord> unkeyed(JobType<?> type, JSONB config, EnqueueOptions options) {
        return insertInto(JOBS)
                .columns(JOBS.TYPE, JOBS.CONFIG, JOBS.PRIORITY, JOBS.MAX_ATTEMPTS, JOBS.RUN_AT)
                .values(
                        param("type", type.name()),
                        param("config", config),
                        param("priority", options.priority()),
                        param("max_attempts", type.maxAttempts()),
                        Clock.in("delay_seconds", options.delay()));
    }

    private static ResultQuery<Record> answer(
            InsertReturningStep<JobsRecord> insert, JobType<?> type, Optional<String> channel) {
        return insert.returningResult(Notify.returning(channel, type, JOBS.ID, JOBS.MERGE_COUNT));
    }
}
