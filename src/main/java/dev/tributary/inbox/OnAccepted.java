package dev.tributary.inbox;

import java.util.List;
import org.jooq.DSLContext;

/** What is to be done with events that are new: in the transaction that stores them, so that both happen or neither. */
@FunctionalInterface
public interface OnAccepted {
    /**
     * Called once for each batch in which anything is new, on the thread of the caller. It is called again with the same events if
     * the batch is run again after a deadlock or a serialization failure; what it did in the transaction is then undone, what it
     * did elsewhere is not.
     *
     * @param tx the transaction; {@code queue.within(tx)} enqueues in it. It is not to be ended here; in a transaction of
     *     the inbox's own, jOOQ's {@code tx.transaction(…)} is nested in it
     * @param accepted in the order of the call
     * @throws Exception whatever it likes: the batch is rolled back
     */
    void accepted(DSLContext tx, List<Event> accepted) throws Exception;
}
