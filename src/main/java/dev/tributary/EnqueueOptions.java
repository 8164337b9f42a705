package dev.tributary;

import dev.tributary.internal.Arguments;
import java.time.Duration;

/**
 * When and how urgently a job is to run.
 *
 * @param delay how long from now, by the database clock, until the job is due; zero or more, at most 36,500 days
 * @param priority higher is reserved first; 0 by default
 */
public record EnqueueOptions(Duration delay, int priority) {
    private static final EnqueueOptions DEFAULTS = new EnqueueOptions(Duration.ZERO, 0);

    /** @throws InvalidArgument if the delay is null, negative or longer than 36,500 days */
    public EnqueueOptions {
        Arguments.delay("the delay", delay);
    }

    /** Due at once, priority 0. */
    public static EnqueueOptions defaults() {
        return DEFAULTS;
    }

    /** Due after {@code delay}, priority 0. */
    public static EnqueueOptions delayedBy(Duration delay) {
        return new EnqueueOptions(delay, 0);
    }

    /** The same delay with another priority. */
    public EnqueueOptions priority(int priority) {
        return new EnqueueOptions(delay, priority);
    }
}
