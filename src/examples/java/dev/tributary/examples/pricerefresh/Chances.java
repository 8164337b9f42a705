package dev.tributary.examples.pricerefresh;

import java.util.Random;

/** What goes wrong, and how often. The same seed makes the same decisions; which request meets which depends on the threads. */
final class Chances {
    /** Probabilities from 0 to 1: the first three for each request to the engine, the last for each reserved job. */
    record Rates(double byHand, double full, double deploy, double death) {}

    private final Rates rates;
    private final Random engine;
    private final Random workers;

    Chances(long seed, Rates rates) {
        this.rates = rates;
        this.engine = new Random(seed);
        this.workers = new Random(~seed);
    }

    /** Somebody has begun to refresh one of the products by hand. */
    boolean refreshByHand() {
        return engine.nextDouble() < rates.byHand();
    }

    /** Somebody has begun to refresh the whole catalogue. */
    boolean fullRefresh() {
        return engine.nextDouble() < rates.full();
    }

    /** A deploy stops the engine. */
    boolean deploy() {
        return engine.nextDouble() < rates.deploy();
    }

    /** The worker dies before it settles the job. */
    boolean death() {
        return workers.nextDouble() < rates.death();
    }

    /** It has asked the engine before it died. */
    boolean afterAsking() {
        return workers.nextBoolean();
    }
}
