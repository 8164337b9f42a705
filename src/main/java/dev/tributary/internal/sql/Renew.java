package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.JOBS;
import static org.jooq.impl.DSL.update;

import java.time.Duration;
import java.util.UUID;
import org.jooq.RowCountQuery;

/** Moves the end of a lease. */
public final class Renew {
    private Renew() {}

    /** @return 1 row, or 0 if the lease is lost */
    public static RowCountQuery query(long id, UUID token, Duration lease) {
        return update(JOBS)
                .set(JOBS.LEASE_UNTIL, Clock.in("lease_seconds", lease))
                .set(JOBS.UPDATED_AT, Clock.now())
                .where(Status.heldBy(id, token));
    }
}
