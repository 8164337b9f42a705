package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.JOBS;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import dev.tributary.JobStatus;
import dev.tributary.JobType;
import dev.tributary.db.tables.Jobs;
import org.jooq.Condition;
import org.jooq.Record1;
import org.jooq.Select;
import org.jooq.impl.SQLDataType;

/** The keys whose pending job has reached the cap of its type. An enqueue looks before it writes. */
public final class FullJobs {
    static final Jobs FULL = JOBS.as("full_jobs");

    private FullJobs() {}

    /** Which of these keys are full; takes no lock. */
    public static Select<Record1<String>> query(JobType<?> type, String[] keys) {
        return where(type, FULL.MERGE_KEY.eq(any(param("keys", keys))));
    }

    static Select<Record1<String>> where(JobType<?> type, Condition keys) {
        return select(FULL.MERGE_KEY)
                .from(FULL)
                .where(FULL.TYPE.eq(param("type", type.name())))
                .and(keys)
                .and(Status.is(FULL, JobStatus.PENDING))
                // The size in the row's own header, after compression: the payload is not read for it.
                .and(function(name("pg_column_size"), SQLDataType.INTEGER, FULL.CONFIG)
                        .ge(param("max_payload_bytes", type.maxPayloadBytes())));
    }
}
