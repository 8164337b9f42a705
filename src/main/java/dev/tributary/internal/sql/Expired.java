package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.EVENTS;
import static dev.tributary.db.Tables.JOBS;
import static org.jooq.impl.DSL.selectOne;

import dev.tributary.JobStatus;
import dev.tributary.db.tables.Jobs;
import java.time.Duration;
import java.util.List;

/** What has been kept long enough. */
public final class Expired {
    private static final Jobs MERGED = JOBS.as("merged");

    private Expired() {}

    /**
     * Jobs that ended so long ago; not those that others were merged into, as long as these are there. A job is merged into one
     * that is pending, so none is added to those of a job that has ended.
     */
    public static WorkSet jobs(JobStatus status, Duration age) {
        return new WorkSet(
                JOBS,
                // The order of the index jobs_ended.
                List.of(JOBS.FINISHED_AT, JOBS.ID),
                Status.is(JOBS, status)
                        .and(JOBS.FINISHED_AT.lt(Clock.ago("age_seconds", age)))
                        .and(PlainSql.notExists(
                                selectOne().from(MERGED).where(MERGED.MERGED_INTO_JOB_ID.eq(JOBS.ID)))));
    }

    /** Events that were accepted so long ago. */
    public static WorkSet events(Duration age) {
        return new WorkSet(
                EVENTS,
                List.of(EVENTS.RECEIVED_AT, EVENTS.BUSINESS_KEY),
                EVENTS.RECEIVED_AT.lt(Clock.ago("age_seconds", age)));
    }
}
