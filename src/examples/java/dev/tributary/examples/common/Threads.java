package dev.tributary.examples.common;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** How threads end here: they finish what they are doing. */
public final class Threads {
    private static final int PATIENCE_SECONDS = 20;

    private Threads() {}

    public static void finish(ExecutorService threads) {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
