package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.JOBS;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.uuid;

import dev.tributary.JobStatus;
import dev.tributary.db.tables.Jobs;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.Field;

/** The states of a job: who may leave RUNNING, and what the columns hold in the state after. */
final class Status {
    private Status() {}

    /** Inlined: PostgreSQL proves a partial index from literals only, a bind variable breaks the proof in a generic plan. */
    static Condition is(Jobs jobs, JobStatus status) {
        return jobs.STATUS.eq(literal(status));
    }

    /** Only the holder settles: the job is RUNNING, under the token of this reservation. */
    static Condition heldBy(long id, UUID token) {
        return JOBS.ID
                .eq(param("id", id))
                .and(is(JOBS, JobStatus.RUNNING))
                .and(JOBS.LOCK_TOKEN.eq(param("token", token)));
    }

    /** RUNNING under a fresh token. */
    static Map<Field<?>, Field<?>> held(Field<Instant> leaseUntil, String holder) {
        Map<Field<?>, Field<?>> set = entering(JobStatus.RUNNING);
        set.put(JOBS.LOCK_TOKEN, uuid());
        set.put(JOBS.LOCKED_BY, param("holder", holder));
        set.put(JOBS.LEASE_UNTIL, leaseUntil);
        return set;
    }

    /** PENDING or ended: no token, no lease. */
    static Map<Field<?>, Field<?>> released(JobStatus status) {
        Map<Field<?>, Field<?>> set = entering(status);
        set.put(JOBS.LOCK_TOKEN, nothing(JOBS.LOCK_TOKEN));
        set.put(JOBS.LEASE_UNTIL, nothing(JOBS.LEASE_UNTIL));
        return set;
    }

    /** COMPLETED or FAILED. */
    static Map<Field<?>, Field<?>> ended(JobStatus status) {
        Map<Field<?>, Field<?>> set = released(status);
        set.put(JOBS.FINISHED_AT, Clock.now());
        set.put(JOBS.DURATION_MS, Clock.millisecondsSince(JOBS.STARTED_AT));
        return set;
    }

    static <T> Field<T> nothing(Field<T> column) {
        return inline((T) null, column.getDataType());
    }

    private static Map<Field<?>, Field<?>> entering(JobStatus status) {
        Map<Field<?>, Field<?>> set = new LinkedHashMap<>();
        set.put(JOBS.STATUS, literal(status));
        set.put(JOBS.UPDATED_AT, Clock.now());
        return set;
    }

    private static Field<JobStatus> literal(JobStatus status) {
        return inline(status, JOBS.STATUS);
    }
}
