package dev.tributary.worker;

import dev.tributary.Backoff;
import dev.tributary.JobQueue;
import dev.tributary.internal.Arguments;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a handler says of a job. */
public sealed interface Outcome {
    /**
     * The work is done: the job ends COMPLETED.
     *
     * @param result kept with the job as JSON, which Jackson writes on the thread that completes jobs: small and quick; null for
     *     none
     */
    record Done(@Nullable Object result) implements Outcome {}

    /**
     * Not now: the job goes back by {@link JobQueue#requeue}, or ends FAILED after its last attempt.
     *
     * @param why kept as the last error of the job
     * @param retryIn how long its key waits; empty: as the type's {@link Backoff} says
     */
    record Refused(String why, Optional<Duration> retryIn) implements Outcome {
        /** @throws dev.tributary.InvalidArgument if {@code retryIn} is negative or longer than 36,500 days */
        public Refused {
            retryIn.ifPresent(delay -> Arguments.delay("retryIn", delay));
        }
    }

    /**
     * Never: the job ends FAILED at once, its payload kept.
     *
     * @param why kept as the last error of the job
     */
    record Failed(String why) implements Outcome {}

    /** Done, without a result. */
    static Outcome done() {
        return new Done(null);
    }

    /** Done, with a result that Jackson can write. */
    static Outcome done(Object result) {
        return new Done(result);
    }

    /** Refused; retried after the backoff of the type. */
    static Outcome refused(String why) {
        return new Refused(why, Optional.empty());
    }

    /** Refused; retried after a delay of zero or more. */
    static Outcome refused(String why, Duration retryIn) {
        return new Refused(why, Optional.of(Arguments.notNull("retryIn", retryIn)));
    }

    /** Failed for good. */
    static Outcome failed(String why) {
        return new Failed(why);
    }
}
