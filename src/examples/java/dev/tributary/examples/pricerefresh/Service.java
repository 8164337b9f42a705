package dev.tributary.examples.pricerefresh;

import dev.tributary.JobQueue;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Producers, workers and a rescuer at work on one queue. */
final class Service {
    private static final int PRODUCERS = 2;
    private static final int WORKERS = 3;
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration RESCUE = Duration.ofMillis(500);
    private static final Duration WATCH = Duration.ofMillis(200);

    private final Options options;
    private final JobQueue queue;
    private final Backlog backlog;
    private final Feed feed;
    private final Progress progress;
    private final Books books = new Books();

    Service(Options options, JobQueue queue, Backlog backlog, Feed feed, Progress progress) {
        this.options = options;
        this.queue = queue;
        this.backlog = backlog;
        this.feed = feed;
        this.progress = progress;
    }

    /**
     * Runs until the feed has ended and its jobs are done, or until somebody else completes {@code end}. What the engine
     * has not done by then is put back and waits.
     */
    Summary run(CompletableFuture<Void> end) {
        Chances chances = new Chances(options.seed(), options.rates());
        try (Engine engine = new Engine(chances, options.engineQueue(), books.tally());
                Rounds rounds = new Rounds(PRODUCERS + WORKERS + 2, progress::say, end)) {
            List<Producer> producers = Stream.generate(() -> new Producer(queue, feed, books, progress::say))
                    .limit(PRODUCERS)
                    .toList();
            RefreshWorker worker = new RefreshWorker(queue, engine, chances, books, progress::say);
            Rescuer rescuer = new Rescuer(queue, books);

            Duration perLine = Duration.ofSeconds(PRODUCERS).dividedBy(options.linesPerSecond());
            producers.forEach(producer -> rounds.every(perLine, producer::round));
            for (int i = 0; i < WORKERS; i++) {
                rounds.pausing(POLL, worker::round);
            }
            rounds.pausing(RESCUE, rescuer::round);
            rounds.pausing(WATCH, () -> {
                if (watch(producers, engine)) {
                    end.complete(null);
                }
            });
            end.join();
        }
        books.tally().recount(Count.MERGED_ON_REQUEUE, Count.CARRIED_OVER, backlog.carriedOver());
        return new Summary(books.tally(), books.ledger().balance(queue::find));
    }

    /** Whether all is done. */
    private boolean watch(List<Producer> producers, Engine engine) {
        // In this order: once the producers have ended, the backlog only shrinks.
        boolean ended = producers.stream().allMatch(Producer::ended);
        int jobs = backlog.size();
        progress.show(
                feed.position(),
                books.tally().of(Count.EVENTS) + " events, " + jobs + " jobs, " + engine.unfinished()
                        + " in the engine");
        return ended && jobs == 0;
    }
}
