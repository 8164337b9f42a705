package dev.tributary;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A job while it is reserved: what it says is as it was when it was reserved. Given to the caller that reserved it, who
 * settles it with {@link JobQueue#complete}, {@link JobQueue#requeue} or {@link JobQueue#fail}.
 *
 * @param <P> the payload
 */
public interface ReservedJob<P> {
    /** Its row. */
    long id();

    JobType<P> type();

    /** Empty for a job that never merges. */
    Optional<String> mergeKey();

    /**
     * The payload, decoded anew by each call.
     *
     * @throws InvalidPayload if the codec cannot decode it; the stored payload and its neighbours in the batch are untouched
     */
    P payload();

    /** The payload as stored: the text of a JSON object. */
    String payloadJson();

    /** Which reservation this is, from 1; carried over when a requeued job merges. */
    int attempt();

    /** Reservations it may have; a refusal of the last one fails it. */
    int maxAttempts();

    /** Names this reservation; every write that settles it is guarded by the token. */
    UUID lockToken();

    /** Until when nobody else takes it, by the database clock; {@link JobQueue#renew} does not change what this says. */
    Instant leaseUntil();

    int priority();

    /** Enqueues and requeues that flowed into it. */
    int mergeCount();

    /** When the earliest request that flowed into it was enqueued. */
    Instant firstEnqueuedAt();

    /**
     * Whether its holder has learnt that the reservation is lost, so that the rest of the work is in vain. Only a
     * {@link dev.tributary.worker.Worker} keeps asking; for a job reserved by hand it stays false.
     */
    default boolean leaseLost() {
        return false;
    }
}
