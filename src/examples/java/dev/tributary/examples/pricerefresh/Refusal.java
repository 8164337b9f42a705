package dev.tributary.examples.pricerefresh;

/** Why the engine does not take a request, or gives one back. */
enum Refusal {
    PRODUCT_IN_FLIGHT("a product or a variant of it is being recalculated"),
    FULL_REFRESH_IN_FLIGHT("a full refresh of the catalogue is under way"),
    QUEUE_FULL("the engine's queue is full"),
    RUNNER_STOPPED("the engine has stopped");

    private final String reason;

    Refusal(String reason) {
        this.reason = reason;
    }

    String reason() {
        return reason;
    }
}
