package dev.tributary.examples.pricerefresh;

import dev.tributary.examples.common.Threads;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The recalculation engine, simulated. It takes a request or refuses it, recalculates in the background and calls back.
 * It is not ours alone: people refresh products by hand and catalogues in full, and deploys stop it.
 */
final class Engine implements AutoCloseable {
    private static final Duration BY_HAND = Duration.ofMillis(80);
    private static final Duration IN_FULL = Duration.ofMillis(400);
    private static final Duration DEPLOY = Duration.ofMillis(500);

    /** Who asked; called once for each accepted request, on a thread of the engine. */
    interface Caller {
        /** These were recalculated. */
        void recalculated(List<String> productIds);

        /** The engine has stopped before it was done. */
        void handedBack();
    }

    private record Recalculation(Refresh wanted, Caller caller) {}

    private final Chances chances;
    private final int capacity;
    private final Tally tally;
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
    private final ExecutorService background = Executors.newFixedThreadPool(2);

    private final Set<Recalculation> unfinished = new HashSet<>();
    private final Set<Product> articlesInFlight = new HashSet<>();
    private final Set<String> cataloguesInFlight = new HashSet<>();
    private boolean running = true;

    /** @param capacity requests that may be unfinished at once */
    Engine(Chances chances, int capacity, Tally tally) {
        this.chances = chances;
        this.capacity = capacity;
        this.tally = tally;
    }

    /** Asks for a recalculation; empty if the engine takes the request. */
    synchronized Optional<Refusal> ask(Refresh wanted, Caller caller) {
        othersMayInterfere(wanted);
        Optional<Refusal> refusal = refusal(wanted);
        if (refusal.isEmpty()) {
            begin(new Recalculation(wanted, caller));
        }
        return refusal;
    }

    private Optional<Refusal> refusal(Refresh wanted) {
        if (!running) {
            return Optional.of(Refusal.RUNNER_STOPPED);
        }
        if (cataloguesInFlight.contains(wanted.catalogId())) {
            return Optional.of(Refusal.FULL_REFRESH_IN_FLIGHT);
        }
        if (articles(wanted).stream().anyMatch(articlesInFlight::contains)) {
            return Optional.of(Refusal.PRODUCT_IN_FLIGHT);
        }
        return unfinished.size() < capacity ? Optional.empty() : Optional.of(Refusal.QUEUE_FULL);
    }

    private void othersMayInterfere(Refresh wanted) {
        if (!running) {
            return;
        }
        if (chances.refreshByHand()) {
            articles(wanted).stream()
                    .filter(articlesInFlight::add)
                    .limit(1)
                    .forEach(article -> after(BY_HAND, () -> articlesInFlight.remove(article)));
        }
        if (chances.fullRefresh() && cataloguesInFlight.add(wanted.catalogId())) {
            after(IN_FULL, () -> cataloguesInFlight.remove(wanted.catalogId()));
        }
        if (chances.deploy()) {
            tally.count(Count.ENGINE_STOPPED);
            stop();
            after(DEPLOY, () -> running = true);
        }
    }

    private void begin(Recalculation recalculation) {
        unfinished.add(recalculation);
        articlesInFlight.addAll(articles(recalculation.wanted()));
        after(durationOf(recalculation), () -> {
            if (end(recalculation)) {
                background.execute(() -> recalculation
                        .caller()
                        .recalculated(recalculation.wanted().productIds()));
            }
        });
    }

    /** Well below the lease of a job, so that nobody has to renew it. */
    private static Duration durationOf(Recalculation recalculation) {
        return Duration.ofMillis(
                Math.min(400, 20 + 2L * recalculation.wanted().productIds().size()));
    }

    private boolean end(Recalculation recalculation) {
        boolean ended = unfinished.remove(recalculation);
        if (ended) {
            articlesInFlight.removeAll(articles(recalculation.wanted()));
        }
        return ended;
    }

    private void stop() {
        running = false;
        for (Recalculation recalculation : List.copyOf(unfinished)) {
            end(recalculation);
            background.execute(recalculation.caller()::handedBack);
        }
    }

    private void after(Duration delay, Runnable change) {
        timers.schedule(() -> exclusively(change), delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    private synchronized void exclusively(Runnable change) {
        change.run();
    }

    private static Set<Product> articles(Refresh wanted) {
        return wanted.productIds().stream()
                .map(id -> new Product(wanted.catalogId(), id).article())
                .collect(Collectors.toSet());
    }

    /** Requests that were taken and are not done. */
    synchronized int unfinished() {
        return unfinished.size();
    }

    /** Stops for good: what is unfinished is handed back, and the callers have been told when this returns. */
    @Override
    public void close() {
        exclusively(this::stop);
        timers.shutdownNow();
        Threads.finish(background);
    }
}
