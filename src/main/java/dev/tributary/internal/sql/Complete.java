package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.JOBS;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.update;

import dev.tributary.JobStatus;
import java.util.Map;
import java.util.UUID;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.RowCountQuery;
import org.jspecify.annotations.Nullable;

/** Ends a reserved job as COMPLETED. By id and token, never by key: newer work of the key is another job. */
public final class Complete {
    private Complete() {}

    /** @return 1 row, or 0 if the lease is lost */
    public static RowCountQuery query(long id, UUID token, @Nullable JSONB result) {
        Map<Field<?>, Field<?>> set = Status.ended(JobStatus.COMPLETED);
        set.put(JOBS.RESULT, result == null ? Status.nothing(JOBS.RESULT) : param("result", result));
        return update(JOBS).set(set).where(Status.heldBy(id, token));
    }
}
