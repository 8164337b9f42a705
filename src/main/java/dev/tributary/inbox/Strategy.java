package dev.tributary.inbox;

/** How an {@link Inbox} keeps deliveries of one business key apart. The primary key of the table holds under both. */
public enum Strategy {
    /**
     * Takes the transaction-scoped advisory locks of all keys of a batch first, in order, and then inserts. Who waits, waits
     * before it has written anything, and until the other transaction ends. It costs a statement a batch and an entry in the
     * server's lock table for each key.
     */
    ADVISORY_LOCKS,

    /** Inserts in the order of the keys, and takes no locks but those of the rows it inserts. Who waits, waits in the insert. */
    ORDERED_UPSERT
}
