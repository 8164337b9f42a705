package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.JOBS;
import static org.jooq.impl.DSL.update;

import dev.tributary.JobStatus;
import java.util.Map;
import org.jooq.Field;
import org.jooq.RowCountQuery;

/**
 * Second step of a requeue: the refused job becomes PENDING again, under its own id. Raises 23505 if its key has a PENDING
 * job, after waiting for one that is not committed yet.
 */
public final class ReturnToPending {
    private ReturnToPending() {}

    /** @return 1 row, or 0 if the lease is lost */
    public static RowCountQuery query(Refused refused) {
        return update(JOBS).set(pendingAgain(refused)).where(Status.heldBy(refused.id(), refused.token()));
    }

    /**
     * For a type that has no key now: a key that the job was enqueued with is dropped, so that it cannot collide.
     *
     * @return 1 row, or 0 if the lease is lost
     */
    public static RowCountQuery withoutKey(Refused refused) {
        Map<Field<?>, Field<?>> set = pendingAgain(refused);
        set.put(JOBS.MERGE_KEY, Status.nothing(JOBS.MERGE_KEY));
        return update(JOBS).set(set).where(Status.heldBy(refused.id(), refused.token()));
    }

    private static Map<Field<?>, Field<?>> pendingAgain(Refused refused) {
        Map<Field<?>, Field<?>> set = Status.released(JobStatus.PENDING);
        set.put(JOBS.ATTEMPTS, refused.attempts());
        set.put(JOBS.STARTED_AT, Status.nothing(JOBS.STARTED_AT));
        set.put(JOBS.RUN_AT, refused.runAt());
        set.put(JOBS.LAST_ERROR, refused.lastError());
        return set;
    }
}
