package dev.tributary;

/** Where a job stands. The arrows between these are drawn in {@code docs/coalescing.md}. */
public enum JobStatus {
    /** Waiting: enqueues of the same type and merge key flow into it. */
    PENDING,
    /** Reserved: one holder has its lock token and a lease. */
    RUNNING,
    /** Ended by {@link JobQueue#complete}, or closed by a merge that took its payload over. */
    COMPLETED,
    /** Ended by {@link JobQueue#fail} or at the limit of attempts; its payload is kept, see {@link JobQueue#retry}. */
    FAILED,
    /** Ended before it ran; its payload is kept. */
    CANCELLED
}
