package dev.tributary.support;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what others do. Between two looks it parks, since the server needs the core. */
public final class Await {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private Await() {}

    /**
     * Returns once the condition holds.
     *
     * @param otherwise what is so instead, for the error if it does not come to hold
     */
    public static void until(BooleanSupplier condition, Supplier<String> otherwise) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (Thread.interrupted()) {
                throw new AssertionError("interrupted: " + otherwise.get());
            }
            if (System.nanoTime() > deadline) {
                throw new AssertionError("after " + PATIENCE + ": " + otherwise.get());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
