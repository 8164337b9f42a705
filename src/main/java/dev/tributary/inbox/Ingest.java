package dev.tributary.inbox;

import dev.tributary.internal.sql.Accept;
import dev.tributary.internal.sql.Differing;
import dev.tributary.internal.sql.LockKeys;
import java.util.List;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.exception.DataAccessException;

/**
 * What is done with a batch in its transaction.
 *
 * @param namespace of the locks
 */
record Ingest(String namespace, Terms terms, OnAccepted action) {
    /** @param lent the transaction as the action is to see it */
    Classified run(DSLContext tx, DSLContext lent, EventBatch batch) {
        String[] keys = EventBatch.keys(batch.firsts());
        JSONB[] payloads = EventBatch.payloads(batch.firsts());
        if (terms.takesLocks()) {
            // A statement of its own: the next one's snapshot is then later than the wait.
            tx.fetch(LockKeys.query(namespace, keys, terms.stripes()));
        }
        Set<String> newKeys = tx.fetch(Accept.query(keys, payloads)).intoSet(0, String.class);
        List<Delivery> accepted = batch.accepted(newKeys);
        List<Delivery> duplicates = batch.duplicates(newKeys);
        Classified classified = new Classified(accepted, duplicates, differing(tx, duplicates));
        if (!accepted.isEmpty()) {
            act(lent, accepted.stream().map(Delivery::event).toList());
        }
        return classified;
    }

    private static List<Delivery> differing(DSLContext tx, List<Delivery> duplicates) {
        if (duplicates.isEmpty()) {
            return List.of();
        }
        return tx.fetch(Differing.query(EventBatch.keys(duplicates), EventBatch.payloads(duplicates))).stream()
                .map(place -> duplicates.get(place.value1() - 1))
                .toList();
    }

    private void act(DSLContext lent, List<Event> accepted) {
        try {
            action.accepted(lent, accepted);
        } catch (DataAccessException e) {
            // As from a statement of our own: it may be run again, or is the caller's to see.
            throw e;
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new ActionFailed(e);
        }
    }
}
