package dev.tributary.examples.common;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jooq.exception.DataAccessException;

/**
 * Repeats rounds of work until it is closed; a round that has begun is finished. An error of the database costs a round
 * and no more: what it left undone the next one finds. Any other error ends the run.
 */
public final class Rounds implements AutoCloseable {
    private final ScheduledExecutorService threads;
    private final Consumer<String> complaints;
    private final CompletableFuture<Void> end;

    public Rounds(int threads, Consumer<String> complaints, CompletableFuture<Void> end) {
        this.threads = Executors.newScheduledThreadPool(threads);
        this.complaints = complaints;
        this.end = end;
    }

    /** At a steady rate, catching up if it falls behind. */
    public void every(Duration period, Runnable round) {
        threads.scheduleAtFixedRate(guarded(round), 0, period.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** With a pause after each round. */
    public void pausing(Duration pause, Runnable round) {
        threads.scheduleWithFixedDelay(guarded(round), 0, pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    private Runnable guarded(Runnable round) {
        return () -> {
            try {
                round.run();
            } catch (DataAccessException e) {
                complaints.accept("database: " + reason(e));
            } catch (RuntimeException | Error e) {
                end.completeExceptionally(e);
            }
        };
    }

    /** Without the SQL. */
    public static String reason(DataAccessException e) {
        return String.valueOf((e.getCause() == null ? e : e.getCause()).getMessage());
    }

    @Override
    public void close() {
        Threads.finish(threads);
    }
}
