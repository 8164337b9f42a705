package dev.tributary.internal;

/** The message of an exception may throw, and memory be short: that must not end what has a line to write. */
public final class Unfailing {
    private Unfailing() {}

    public static void log(Runnable line) {
        try {
            line.run();
        } catch (Throwable lost) {
            // There is nobody left to tell.
        }
    }
}
