package dev.tributary.examples.pricerefresh;

/** What the service writes down as it goes, to show at the end. A service of your own needs none of this. */
record Books(Ledger ledger, Tally tally) {
    Books() {
        this(new Ledger(), new Tally());
    }
}
