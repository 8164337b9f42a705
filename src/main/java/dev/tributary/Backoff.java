package dev.tributary;

import dev.tributary.internal.Arguments;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How long a refused job waits before it may be reserved again. */
@FunctionalInterface
public interface Backoff {
    /** What a type has unless another is given: exponential from 1 second to 5 minutes. */
    Backoff DEFAULT = exponential(Duration.ofSeconds(1), Duration.ofMinutes(5));

    /**
     * The delay after the given attempt.
     *
     * @param attempt the attempt that was refused, from 1
     * @return zero or more
     */
    Duration delay(int attempt);

    /** No delay: a refused job is due at once. */
    static Backoff none() {
        return fixed(Duration.ZERO);
    }

    /**
     * The same delay after each attempt.
     *
     * @throws InvalidArgument if {@code delay} is negative or longer than 36,500 days
     */
    static Backoff fixed(Duration delay) {
        Arguments.delay("the backoff", delay);
        return attempt -> delay;
    }

    /**
     * Doubles with each attempt from {@code first} up to {@code max}, then takes a random part of up to a fifth away, so
     * that jobs refused together do not come back together. Any attempt count is safe.
     *
     * @throws InvalidArgument if {@code first} is not positive, or {@code max} is shorter than {@code first} or longer
     *     than 36,500 days
     */
    static Backoff exponential(Duration first, Duration max) {
        Arguments.positive("the first backoff", first);
        Arguments.delay("the longest backoff", max);
        if (max.compareTo(first) < 0) {
            throw new InvalidArgument("the longest backoff is " + max + ", which is shorter than the first, " + first);
        }
        return attempt -> {
            // Doubling is clamped before it is done: 2^40 of a nanosecond already exceeds 15 minutes, 2^62 overflows.
            double doubled = first.toNanos() * Math.pow(2, Math.min(Math.max(attempt, 1), 63) - 1);
            double nanos = Math.min(doubled, max.toNanos());
            return Duration.ofNanos((long) (nanos * ThreadLocalRandom.current().nextDouble(0.8, 1.0)));
        };
    }
}
