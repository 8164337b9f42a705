package dev.tributary.examples.common;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Ends the run early but in order when the process is told to end, and keeps it alive until that is done. */
public final class CtrlC implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 60;

    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final Thread hook;

    public CtrlC() {
        this.hook = new Thread(() -> {
            end.complete(null);
            done.completeOnTimeout(null, PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        });
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Completed when the run is to end. */
    public CompletableFuture<Void> end() {
        return end;
    }

    @Override
    public void close() {
        done.complete(null);
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending: the hook has done its part.
        }
    }
}
