package dev.tributary.examples;

import dev.tributary.examples.pricerefresh.PriceRefresh;
import dev.tributary.examples.trustscore.TrustScore;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Runs the example that the system property {@code example} names: price-refresh, if it names none. */
public final class Examples {
    private static final Map<String, Consumer<String[]>> ALL =
            new TreeMap<>(Map.of("price-refresh", PriceRefresh::main, "trust-score", TrustScore::main));

    private Examples() {}

    public static void main(String[] args) {
        String name = System.getProperty("example", "price-refresh");
        Consumer<String[]> example = ALL.get(name);
        if (example == null) {
            System.err.println("-Dexample=" + name + ": it must be one of " + String.join(", ", ALL.keySet()));
            System.exit(2);
        } else {
            example.accept(args);
        }
    }
}
