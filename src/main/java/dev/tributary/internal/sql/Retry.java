package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.JOBS;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.update;

import dev.tributary.JobStatus;
import dev.tributary.db.tables.records.JobsRecord;
import java.time.Duration;
import java.util.Map;
import org.jooq.Field;
import org.jooq.ResultQuery;

/** Takes a FAILED job under a token, with all its attempts before it, so that it can go back as any refused job does. */
public final class Retry {
    private Retry() {}

    /** @return the job, or no row if it is not FAILED or not of the type */
    public static ResultQuery<JobsRecord> query(String type, long id, Duration lease, String holder) {
        Map<Field<?>, Field<?>> set = Status.held(Clock.in("lease_seconds", lease), holder);
        set.put(JOBS.ATTEMPTS, inline(0));
        set.put(JOBS.STARTED_AT, Clock.now());
        set.put(JOBS.FINISHED_AT, Status.nothing(JOBS.FINISHED_AT));
        set.put(JOBS.DURATION_MS, Status.nothing(JOBS.DURATION_MS));
        return update(JOBS)
                .set(set)
                .where(JOBS.ID.eq(param("id", id)))
                .and(JOBS.TYPE.eq(param("type", type)))
                .and(Status.is(JOBS, JobStatus.FAILED))
                .returning(JOBS.fields());
    }
}
