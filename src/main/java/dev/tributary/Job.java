package dev.tributary;

import dev.tributary.db.tables.records.JobsRecord;
import java.time.Instant;
import java.util.UUID;
import org.jooq.JSONB;
import org.jspecify.annotations.Nullable;

/**
 * A row of table {@code jobs} as it was when it was read. Times are the database's.
 *
 * @param id its row
 * @param type the name of its {@link JobType}
 * @param mergeKey null for a job that never merges
 * @param status where it stands
 * @param priority higher is reserved first
 * @param payloadJson the payload, the text of a JSON object
 * @param resultJson what it was completed with, or the note of a merge: a JSON value; null if there is none
 * @param attempts reservations so far
 * @param maxAttempts reservations it may have
 * @param runAt not reserved before
 * @param lockToken names its reservation; not null exactly while RUNNING
 * @param lockedBy who reserved it last; null before the first reservation
 * @param leaseUntil when its reservation may be taken over; not null exactly while RUNNING
 * @param lastError why it last failed, was refused or was rescued; null if it never was
 * @param mergedIntoJobId the job that took its payload over; null if it was not merged away
 * @param mergeCount enqueues and requeues that flowed into it
 * @param firstEnqueuedAt the earliest enqueue of all that flowed into it
 * @param createdAt when this row was inserted
 * @param updatedAt when this row last changed
 * @param startedAt when it was last reserved; null while PENDING
 * @param finishedAt when it ended; not null exactly for COMPLETED, FAILED and CANCELLED
 * @param durationMs milliseconds from its last reservation to its end; null before the end
 */
public record Job(
        long id,
        String type,
        @Nullable String mergeKey,
        JobStatus status,
        int priority,
        String payloadJson,
        @Nullable String resultJson,
        int attempts,
        int maxAttempts,
        Instant runAt,
        @Nullable UUID lockToken,
        @Nullable String lockedBy,
        @Nullable Instant leaseUntil,
        @Nullable String lastError,
        @Nullable Long mergedIntoJobId,
        int mergeCount,
        Instant firstEnqueuedAt,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable Long durationMs) {

    static Job of(JobsRecord row) {
        JSONB result = row.getResult();
        return new Job(
                row.getId(),
                row.getType(),
                row.getMergeKey(),
                row.getStatus(),
                row.getPriority(),
                row.getConfig().data(),
                result == null ? null : result.data(),
                row.getAttempts(),
                row.getMaxAttempts(),
                row.getRunAt(),
                row.getLockToken(),
                row.getLockedBy(),
                row.getLeaseUntil(),
                row.getLastError(),
                row.getMergedIntoJobId(),
                row.getMergeCount(),
                row.getFirstEnqueuedAt(),
                row.getCreatedAt(),
                row.getUpdatedAt(),
                row.getStartedAt(),
                row.getFinishedAt(),
                row.getDurationMs());
    }
}
