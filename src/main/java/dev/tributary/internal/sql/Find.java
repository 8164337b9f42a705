package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.JOBS;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.selectFrom;

import dev.tributary.db.tables.records.JobsRecord;
import org.jooq.ResultQuery;

/** Reads a job; takes no lock. */
public final class Find {
    private Find() {}

    public static ResultQuery<JobsRecord> query(long id) {
        return selectFrom(JOBS).where(JOBS.ID.eq(param("id", id)));
    }
}
