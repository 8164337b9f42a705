package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.JOBS;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.jsonbObject;
import static org.jooq.impl.DSL.key;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import dev.tributary.JobStatus;
import dev.tributary.db.tables.Jobs;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jooq.CommonTableExpression;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.JSONEntry;

/**
 * A reserved job that goes back to PENDING.
 *
 * @param id the job
 * @param token its reservation
 * @param delay from now until it, or the job that takes it over, is due again
 * @param reason what is kept as last_error
 * @param spent whether the attempt counts; it does not if the holder gives the job back before it was through
 */
public record Refused(long id, UUID token, Duration delay, String reason, boolean spent) {
    /** The columns of {@link #running}. */
    static final Jobs RUNNING = JOBS.as("running");

    /**
     * The running row, locked, as it is to be merged: its delay and reason already in place, itself counted as a merge.
     * The lock waits for another writer of the row and then looks again whether the reservation still holds
     * (<a href="https://www.postgresql.org/docs/18/transaction-iso.html#XACT-READ-COMMITTED">Read Committed</a>).
     */
    CommonTableExpression<?> running() {
        return name("running")
                .as(select(
                                JOBS.ID,
                                JOBS.TYPE,
                                JOBS.MERGE_KEY,
                                JOBS.CONFIG,
                                JOBS.PRIORITY,
                                attempts().as(JOBS.ATTEMPTS),
                                JOBS.MAX_ATTEMPTS,
                                JOBS.MERGE_COUNT.plus(inline(1)).as(JOBS.MERGE_COUNT),
                                JOBS.FIRST_ENQUEUED_AT,
                                runAt().as(JOBS.RUN_AT),
                                lastError().as(JOBS.LAST_ERROR))
                        .from(JOBS)
                        .where(Status.heldBy(id, token))
                        .forNoKeyUpdate());
    }

    /** The columns of the running row when another job has taken its payload over: done, not failed. */
    Map<Field<?>, Field<?>> mergedInto(Field<Long> absorbing) {
        return closed(absorbing, jsonbObject(why(), into(absorbing)));
    }

    /** The same, with a note that the job came to its place by a carry over. */
    Map<Field<?>, Field<?>> carriedOverInto(Field<Long> absorbing) {
        return closed(
                absorbing,
                jsonbObject(why(), into(absorbing), key(inline("carriedOver")).value(inline(true))));
    }

    private JSONEntry<String> why() {
        return key(inline("reason")).value(lastError());
    }

    private static JSONEntry<Long> into(Field<Long> absorbing) {
        return key(inline("mergedIntoJobId")).value(absorbing);
    }

    private static Map<Field<?>, Field<?>> closed(Field<Long> absorbing, Field<JSONB> note) {
        Map<Field<?>, Field<?>> set = Status.ended(JobStatus.COMPLETED);
        set.put(JOBS.MERGED_INTO_JOB_ID, absorbing);
        set.put(JOBS.RESULT, note);
        return set;
    }

    Field<Integer> attempts() {
        return spent ? JOBS.ATTEMPTS : JOBS.ATTEMPTS.minus(inline(1));
    }

    Field<Instant> runAt() {
        return Clock.in("delay_seconds", delay);
    }

    Field<String> lastError() {
        return param("reason", reason);
    }
}
