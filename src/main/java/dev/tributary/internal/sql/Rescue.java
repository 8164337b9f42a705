package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.JOBS;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.with;

import dev.tributary.JobStatus;
import dev.tributary.db.tables.Jobs;
import java.time.Duration;
import org.jooq.CommonTableExpression;
import org.jooq.Record;
import org.jooq.ResultQuery;

/**
 * Takes over jobs whose lease has expired, under tokens of its own: from then on the late holder changes nothing, another
 * rescuer finds nothing, and each job can go back as any refused job does. If the rescuer dies, its leases expire in turn.
 */
public final class Rescue {
    private static final Jobs EXPIRED = JOBS.as("expired");
    private static final Jobs RESCUED = JOBS.as("rescued");

    private Rescue() {}

    /** @return all columns of the jobs taken over, in the order of their keys */
    public static ResultQuery<Record> query(String type, int limit, Duration lease, String holder) {
        CommonTableExpression<?> expired = name("expired")
                .as(select(JOBS.ID)
                        .from(JOBS)
                        .where(JOBS.TYPE.eq(param("type", type)))
                        .and(Status.is(JOBS, JobStatus.RUNNING))
                        .and(JOBS.LEASE_UNTIL.lt(Clock.now()))
                        .orderBy(JOBS.LEASE_UNTIL)
                        .limit(param("limit", limit))
                        .forNoKeyUpdate()
                        .skipLocked());
        CommonTableExpression<?> rescued = name("rescued")
                .as(update(JOBS)
                        .set(Status.held(Clock.in("lease_seconds", lease), holder))
                        .from(expired)
                        .where(JOBS.ID.eq(EXPIRED.ID))
                        .returning(JOBS.fields()));
        return with(expired)
                .with(rescued)
                .select(RESCUED.fields())
                .from(rescued)
                .orderBy(RESCUED.MERGE_KEY, RESCUED.ID);
    }
}
