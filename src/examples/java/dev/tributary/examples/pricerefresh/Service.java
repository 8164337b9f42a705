package dev.tributary.examples.pricerefresh;

import dev.tributary.examples.common.Rounds;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Producers, an engine and a worker process at work on one queue. */
final class Service {
    private static final int PRODUCERS = 2;
    private static final Duration WATCH = Duration.ofMillis(200);

    private final Options options;
    private final Store store;
    private final Backlog backlog;
    private final Feed feed;
    private final Progress progress;
    private final Books books = new Books();

    Service(Options options, Store store, Feed feed, Progress progress) {
        this.options = options;
        this.store = store;
        this.backlog = store.backlog();
        this.feed = feed;
        this.progress = progress;
    }

    /**
     * Runs until the feed has ended and its jobs are done, or until somebody else completes {@code end}. What the engine
     * has not done by then is put back and waits.
     */
    Summary run(CompletableFuture<Void> end) {
        Engine engine = new Engine(new Chances(options.seed(), options.rates()), options.engineQueue(), books.tally());
        Desk desk = new Desk(engine, books, progress::say);
        // Closed in the opposite order: the engine hands back what it has not done, and the worker puts it back.
        try (Workers workers = new Workers(store, books.tally(), options.kills(), desk);
                engine;
                Rounds rounds = new Rounds(PRODUCERS + 1, progress::say, end)) {
            List<Producer> producers = Stream.generate(
                            () -> new Producer(store.inbox(), store.queue(), feed, books, progress::say))
                    .limit(PRODUCERS)
                    .toList();
            Duration perBatch =
                    Duration.ofSeconds((long) PRODUCERS * Producer.BATCH).dividedBy(options.linesPerSecond());
            producers.forEach(producer -> rounds.every(perBatch, producer::round));
            rounds.pausing(WATCH, () -> {
                if (watch(producers, workers, engine)) {
                    end.complete(null);
                }
            });
            end.join();
        }
        books.tally().recount(Count.MERGED_ON_REQUEUE, Count.CARRIED_OVER, backlog.carriedOver());
        return new Summary(books.tally(), books.ledger().balance(store.queue()::find));
    }

    /** Whether all is done. */
    private boolean watch(List<Producer> producers, Workers workers, Engine engine) {
        // In this order: once the producers have ended, the backlog only shrinks.
        boolean ended = producers.stream().allMatch(Producer::ended);
        int jobs = backlog.size();
        progress.show(
                feed.position(),
                books.tally().of(Count.EVENTS) + " events, " + jobs + " jobs, " + engine.unfinished()
                        + " in the engine");
        // The size of a pipe is not known: then the worker is killed at the end.
        workers.watch(ended ? 1 : feed.size() < 1 ? 0 : (double) feed.position() / feed.size());
        return ended && jobs == 0;
    }
}
