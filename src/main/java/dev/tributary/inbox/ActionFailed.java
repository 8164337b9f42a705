package dev.tributary.inbox;

/** Carries what an action threw out of the transaction. */
final class ActionFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Exception thrown;

    ActionFailed(Exception thrown) {
        super(thrown);
        this.thrown = thrown;
    }

    Exception thrown() {
        return thrown;
    }
}
