package dev.tributary.worker;

import dev.tributary.JobType;
import dev.tributary.ReservedJob;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A job in the hands of this worker: what the queue said of it, and how far the worker is with it. */
final class HeldJob<P> implements ReservedJob<P> {
    /** What came of calling the handler. */
    record Said(Outcome outcome, Optional<Throwable> thrown) {}

    private final ReservedJob<P> job;
    private final JobHandler<P> handler;
    private final AtomicBoolean settling = new AtomicBoolean();
    private volatile boolean leaseLost;
    private @Nullable Thread handling;
    private boolean interrupted;

    HeldJob(ReservedJob<P> job, JobHandler<P> handler) {
        this.job = job;
        this.handler = handler;
    }

    /**
     * Runs the handler; whatever it throws is a refusal, never the end of the thread.
     *
     * @return empty if the handler was not called, because the job was given back or lost before there was a thread for it
     */
    Optional<Said> handle() {
        if (!begin()) {
            return Optional.empty();
        }
        try {
            Outcome outcome = handler.handle(this);
            return Optional.of(new Said(
                    outcome == null ? Outcome.refused("the handler returned null") : outcome, Optional.empty()));
        } catch (Throwable failure) {
            return Optional.of(new Said(Outcome.refused(textOf(failure)), Optional.of(failure)));
        } finally {
            end();
        }
    }

    private synchronized boolean begin() {
        if (leaseLost || isSettling()) {
            return false;
        }
        handling = Thread.currentThread();
        return true;
    }

    private synchronized void end() {
        handling = null;
        if (interrupted) {
            // Meant for this handler, not for the next one on the thread.
            Thread.interrupted();
        }
    }

    /** Interrupts the handler, if it still runs. */
    synchronized void interrupt() {
        if (handling != null) {
            interrupted = true;
            handling.interrupt();
        }
    }

    private static String textOf(Throwable failure) {
        try {
            return failure.toString();
        } catch (Throwable broken) {
            return failure.getClass().getName();
        }
    }

    /** True for the first who asks: a job is settled by its handler's outcome or given back, not both. */
    synchronized boolean beginSettling() {
        return settling.compareAndSet(false, true);
    }

    boolean isSettling() {
        return settling.get();
    }

    synchronized void loseLease() {
        leaseLost = true;
    }

    @Override
    public boolean leaseLost() {
        return leaseLost;
    }

    @Override
    public long id() {
        return job.id();
    }

    @Override
    public JobType<P> type() {
        return job.type();
    }

    @Override
    public Optional<String> mergeKey() {
        return job.mergeKey();
    }

    @Override
    public P payload() {
        return job.payload();
    }

    @Override
    public String payloadJson() {
        return job.payloadJson();
    }

    @Override
    public int attempt() {
        return job.attempt();
    }

    @Override
    public int maxAttempts() {
        return job.maxAttempts();
    }

    @Override
    public UUID lockToken() {
        return job.lockToken();
    }

    @Override
    public Instant leaseUntil() {
        return job.leaseUntil();
    }

    @Override
    public int priority() {
        return job.priority();
    }

    @Override
    public int mergeCount() {
        return job.mergeCount();
    }

    @Override
    public Instant firstEnqueuedAt() {
        return job.firstEnqueuedAt();
    }

    @Override
    public String toString() {
        return job.toString();
    }
}
