package dev.tributary.examples.pricerefresh;

import java.io.PrintStream;
import java.util.Locale;

/** What a run says at its end. */
record Summary(Tally tally, Balance balance) {
    void print(PrintStream out) {
        for (Count count : Count.values()) {
            out.printf(Locale.ROOT, "%,9d  %s%n", tally.of(count), count.label());
        }
        out.println(balance);
    }
}
