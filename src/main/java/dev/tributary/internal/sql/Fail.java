package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.JOBS;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.update;

import dev.tributary.JobStatus;
import java.util.Map;
import java.util.UUID;
import org.jooq.Field;
import org.jooq.RowCountQuery;

/** Ends a reserved job as FAILED. Its payload stays. */
public final class Fail {
    private Fail() {}

    /** @return 1 row, or 0 if the lease is lost */
    public static RowCountQuery query(long id, UUID token, String error) {
        Map<Field<?>, Field<?>> set = Status.ended(JobStatus.FAILED);
        set.put(JOBS.LAST_ERROR, param("error", error));
        return update(JOBS).set(set).where(Status.heldBy(id, token));
    }
}
