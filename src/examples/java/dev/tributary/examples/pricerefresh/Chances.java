package dev.tributary.examples.pricerefresh;

import java.util.Random;

/** What goes wrong, and how often. The same seed makes the same decisions; which request meets which depends on the threads. */
final class Chances {
    /** Probabilities from 0 to 1, for each request to the engine. */
    record Rates(double byHand, double full, double deploy) {}

    private final Rates rates;
    private final Random engine;

    Chances(long seed, Rates rates) {
        this.rates = rates;
        this.engine = new Random(seed);
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
}
