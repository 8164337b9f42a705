package dev.tributary;

/** What became of a job on its way back to PENDING. */
public sealed interface Requeued {
    /** The job that was to go back. */
    long jobId();

    /** It is pending again, under its own id. */
    record Returned(long jobId) implements Requeued {}

    /** Its payload went into the pending job {@code intoJobId}; the job itself is closed as COMPLETED and points there. */
    record MergedInto(long jobId, long intoJobId) implements Requeued {}

    /** It had no attempt left: it is FAILED now, its payload kept. {@link JobQueue#retry} brings it back. */
    record Exhausted(long jobId) implements Requeued {}

    /** The reservation is no longer the caller's. Nothing was changed. */
    record LeaseLost(long jobId) implements Requeued {}
}
