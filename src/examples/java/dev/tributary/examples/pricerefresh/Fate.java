package dev.tributary.examples.pricerefresh;

/** What became of a request, from best to worst. */
enum Fate {
    RECALCULATED,
    /** In a job that is pending or running. */
    WAITING,
    /** In a job that has failed, where a retry finds it. */
    FAILED,
    /** Nowhere. */
    LOST;

    Fate worse(Fate other) {
        return compareTo(other) < 0 ? other : this;
    }
}
