package dev.tributary.examples.pricerefresh;

import java.util.Collection;
import java.util.Collections;

/** How many requested products met which fate; each counts once, with the worst fate of all its requests. */
record Balance(int requested, int recalculated, int waiting, int failed, int lost) {
    static Balance of(Collection<Fate> fates) {
        return new Balance(
                fates.size(),
                Collections.frequency(fates, Fate.RECALCULATED),
                Collections.frequency(fates, Fate.WAITING),
                Collections.frequency(fates, Fate.FAILED),
                Collections.frequency(fates, Fate.LOST));
    }

    @Override
    public String toString() {
        return "requested " + requested + " ids, recalculated " + recalculated + ", waiting " + waiting + ", failed "
                + failed + ", lost " + lost;
    }
}
