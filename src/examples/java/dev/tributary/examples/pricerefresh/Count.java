package dev.tributary.examples.pricerefresh;

/** What a run counts, in the order of its table. */
enum Count {
    EVENTS("events"),
    ACCEPTED("events accepted"),
    DUPLICATES("events delivered again: duplicates"),
    SKIPPED("lines skipped"),
    INSERTED("jobs inserted by an enqueue"),
    MERGED("enqueues merged into a pending job"),
    RESERVED("jobs reserved"),
    COMPLETED("completed"),
    REFUSED_PRODUCT("refused: product or variant in flight"),
    REFUSED_FULL_REFRESH("refused: full refresh in flight"),
    REFUSED_QUEUE_FULL("refused: queue full"),
    REFUSED_STOPPED("refused: runner stopped"),
    HANDED_BACK("handed back: runner stopped"),
    WORKER_KILLED("worker processes killed"),
    RESCUED("rescued after their lease expired"),
    RETURNED("put back: returned to pending"),
    MERGED_ON_REQUEUE("put back: merged into a pending job"),
    CARRIED_OVER("put back: carried over"),
    EXHAUSTED("put back: failed, no attempt left"),
    LEASE_LOST("settled too late, changed nothing"),
    ENGINE_STOPPED("deploys that stopped the engine");

    private final String label;

    Count(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    static Count of(Refusal refusal) {
        return switch (refusal) {
            case PRODUCT_IN_FLIGHT -> REFUSED_PRODUCT;
            case FULL_REFRESH_IN_FLIGHT -> REFUSED_FULL_REFRESH;
            case QUEUE_FULL -> REFUSED_QUEUE_FULL;
            case RUNNER_STOPPED -> REFUSED_STOPPED;
        };
    }
}
