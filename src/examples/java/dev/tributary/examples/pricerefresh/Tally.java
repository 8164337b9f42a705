package dev.tributary.examples.pricerefresh;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** How often what happened. */
final class Tally {
    private final Map<Count, LongAdder> counts = new EnumMap<>(Count.class);

    Tally() {
        for (Count count : Count.values()) {
            counts.put(count, new LongAdder());
        }
    }

    void count(Count what) {
        adder(what).increment();
    }

    void count(Count what, int some) {
        adder(what).add(some);
    }

    /** Some that were counted as one thing were another. */
    void recount(Count from, Count to, long some) {
        adder(from).add(-some);
        adder(to).add(some);
    }

    long of(Count what) {
        return adder(what).sum();
    }

    private LongAdder adder(Count what) {
        return Objects.requireNonNull(counts.get(what));
    }
}
