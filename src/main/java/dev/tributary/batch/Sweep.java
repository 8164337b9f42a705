package dev.tributary.batch;

import dev.tributary.internal.Chance;
import dev.tributary.internal.Steps;
import dev.tributary.internal.sql.RowKey;
import dev.tributary.internal.sql.StillInSet;
import dev.tributary.internal.sql.WorkSet;
import java.util.List;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;

/**
 * A walk through the set in the order of its keys, a batch at a time and each batch a transaction; after the last one it begins
 * again at the first key. It goes on behind what it chose, whether or not that has left the set, so rows that stay are not in
 * the way of the others.
 */
final class Sweep {
    private final Steps transactions;
    private final WorkSet set;
    private final Write write;
    private final BatchSize size;
    private final Events events;
    private Optional<RowKey> after = Optional.empty();

    Sweep(Steps transactions, WorkSet set, Write write, int batchSize, Events events) {
        this.transactions = transactions;
        this.set = set;
        this.write = write;
        this.events = events;
        this.size = new BatchSize(batchSize);
    }

    /** One batch. If it throws, nothing of the batch was written, and the next one begins at the same place. */
    Batch next() {
        try {
            Batch batch = transactions.run(tx -> batch(tx, size.rows()));
            // Only now is it committed.
            after = batch.ended()
                    ? Optional.empty()
                    : Optional.of(batch.chosen().get(batch.chosen().size() - 1));
            size.grow();
            return batch;
        } catch (DataAccessException e) {
            if (!Chance.isTimeout(e) || !size.halve()) {
                throw e;
            }
            events.smaller(size.rows(), e.sqlState());
            return Batch.UNDONE;
        }
    }

    private Batch batch(DSLContext tx, int limit) {
        List<RowKey> keys = write.batch(tx, set, after, limit);
        List<RowKey> stayed = keys.isEmpty()
                ? List.of()
                : tx.fetch(StillInSet.query(set, keys)).map(set::keyOf);
        return new Batch(keys, stayed, keys.size() < limit);
    }
}
