package dev.tributary;

import dev.tributary.internal.Text;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Merged, the payload of a key would be larger than {@link JobType.Builder#maxPayloadBytes}: the enqueue was refused by the
 * database before it wrote anything, of this payload or of any other in the same call, and the transaction stays usable.
 * Enqueue again once a worker has reserved the pending job of the key, and by smaller calls if one alone is too much.
 */
public final class PendingJobFull extends TributaryException {
    private static final long serialVersionUID = 1L;
    private static final int NAMED = 3;

    public PendingJobFull(String message) {
        super(message);
    }

    /** @param keys maybe empty: a worker may have reserved the jobs before it was asked which they are */
    static PendingJobFull of(JobType<?> type, List<String> keys) {
        String named = keys.stream().limit(NAMED).map(Text::quoted).collect(Collectors.joining(", "));
        return new PendingJobFull(type.name() + ": nothing was enqueued, merged the payload of "
                + (keys.isEmpty() ? "a key" : named) + (keys.size() > NAMED ? " and other keys" : "")
                + " would have more than " + type.maxPayloadBytes() + " bytes (maxPayloadBytes)");
    }
}
