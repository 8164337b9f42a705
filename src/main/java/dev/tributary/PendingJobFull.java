package dev.tributary;

import java.util.List;

/**
 * The pending job of the key has reached {@link JobType.Builder#maxPayloadBytes}: the enqueue was refused by the
 * database before it wrote anything, of this payload or of any other in the same call, and the transaction stays usable.
 * Enqueue again once a worker has reserved that job.
 */
public final class PendingJobFull extends TributaryException {
    private static final long serialVersionUID = 1L;

    public PendingJobFull(String message) {
        super(message);
    }

    static PendingJobFull of(JobType<?> type, List<String> keys) {
        return new PendingJobFull(type.name() + ": nothing was enqueued, the pending job of " + keys + " has reached "
                + type.maxPayloadBytes() + " bytes (maxPayloadBytes)");
    }
}
