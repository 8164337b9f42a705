package dev.tributary.inbox;

import dev.tributary.TributaryException;

/**
 * {@link Inbox#within} was given a transaction that has ingested before, or one at REPEATABLE READ or SERIALIZABLE for
 * {@link Strategy#ADVISORY_LOCKS}. Nothing was locked or stored, and the transaction stays usable.
 */
public final class UnsuitableTransaction extends TributaryException {
    private static final long serialVersionUID = 1L;

    UnsuitableTransaction(String message) {
        super(message);
    }

    static UnsuitableTransaction usedBefore() {
        return new UnsuitableTransaction(
                "the transaction has ingested before: a second call takes its locks out of order,"
                        + " and could deadlock with another transaction. Give all events in one call, or in transactions of their own");
    }

    static UnsuitableTransaction isolation(String level) {
        return new UnsuitableTransaction(
                "ADVISORY_LOCKS in a transaction at " + level + ": it would wait for a lock and"
                        + " then look with a snapshot from before the wait. Begin it at READ COMMITTED, or use ORDERED_UPSERT");
    }
}
