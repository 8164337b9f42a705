package dev.tributary.examples.pricerefresh;

import static dev.tributary.examples.pricerefresh.Refresh.PRICE_REFRESH;

import dev.tributary.JobQueue;
import dev.tributary.Requeued;
import dev.tributary.ReservedJob;
import dev.tributary.Settled;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jooq.exception.DataAccessException;

/** Reserves due jobs and asks the engine. What it refuses is requeued; what it takes is completed once it is done. */
final class RefreshWorker {
    /** Short, so that a run shows what happens to the jobs of a worker that died. */
    private static final Duration LEASE = Duration.ofSeconds(2);

    private static final int BATCH = 4;

    private final JobQueue queue;
    private final Engine engine;
    private final Chances chances;
    private final Books books;
    private final Consumer<String> complaints;

    RefreshWorker(JobQueue queue, Engine engine, Chances chances, Books books, Consumer<String> complaints) {
        this.queue = queue;
        this.engine = engine;
        this.chances = chances;
        this.books = books;
        this.complaints = complaints;
    }

    void round() {
        List<ReservedJob<Refresh>> jobs = queue.reserve(PRICE_REFRESH, BATCH, LEASE);
        long reserved = books.ledger().now();
        for (ReservedJob<Refresh> job : jobs) {
            books.tally().count(Count.RESERVED);
            if (chances.death()) {
                abandon(job);
            } else {
                ask(job, reserved);
            }
        }
    }

    private void ask(ReservedJob<Refresh> job, long reserved) {
        Optional<Refusal> refusal = engine.ask(job.payload(), new Engine.Caller() {
            @Override
            public void recalculated(List<String> productIds) {
                books.ledger().recalculated(job.id(), job.payload().catalogId(), productIds, reserved);
                settle(job, () -> complete(job));
            }

            @Override
            public void handedBack() {
                books.tally().count(Count.HANDED_BACK);
                settle(job, () -> requeue(job, Refusal.RUNNER_STOPPED));
            }
        });
        refusal.ifPresent(reason -> {
            books.tally().count(Count.of(reason));
            requeue(job, reason);
        });
    }

    private void complete(ReservedJob<Refresh> job) {
        Settled answer = queue.complete(job);
        books.tally().count(answer == Settled.DONE ? Count.COMPLETED : Count.LEASE_LOST);
    }

    private void requeue(ReservedJob<Refresh> job, Refusal refusal) {
        long before = books.ledger().now();
        Requeued answer = queue.requeue(job, refusal.reason());
        books.putBack(answer, before);
    }

    /** A job that cannot be settled now is not lost: its lease ends, and a rescue puts it back. */
    private void settle(ReservedJob<Refresh> job, Runnable settlement) {
        try {
            settlement.run();
        } catch (DataAccessException e) {
            complaints.accept("job " + job.id() + " waits for its rescue: " + Rounds.reason(e));
        }
    }

    /** As if this process had been killed, before it asked the engine or after: nobody settles the job. */
    private void abandon(ReservedJob<Refresh> job) {
        books.tally().count(Count.WORKER_DIED);
        if (chances.afterAsking()) {
            engine.ask(job.payload(), Engine.NOBODY);
        }
    }
}
