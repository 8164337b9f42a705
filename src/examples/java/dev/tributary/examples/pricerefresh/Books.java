package dev.tributary.examples.pricerefresh;

import dev.tributary.Requeued;

/** What the service writes down as it goes, to show at the end. A service of your own needs none of this. */
record Books(Ledger ledger, Tally tally) {
    Books() {
        this(new Ledger(), new Tally());
    }

    /** @param before a moment before the requeue or rescue */
    void putBack(Requeued answer, long before) {
        ledger.requeued(answer, before);
        if (answer instanceof Requeued.Returned) {
            tally.count(Count.RETURNED);
        } else if (answer instanceof Requeued.MergedInto) {
            tally.count(Count.MERGED_ON_REQUEUE);
        } else if (answer instanceof Requeued.Exhausted) {
            tally.count(Count.EXHAUSTED);
        } else {
            tally.count(Count.LEASE_LOST);
        }
    }
}
