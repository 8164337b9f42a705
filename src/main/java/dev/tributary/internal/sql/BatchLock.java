package dev.tributary.internal.sql;

import java.util.Optional;
import org.jooq.Record;
import org.jooq.ResultQuery;

/** Chooses a batch and locks its rows, for something to be done with them in the next statement of the transaction. */
public final class BatchLock {
    private BatchLock() {}

    /** @return the keys of the batch, in order */
    public static ResultQuery<Record> keys(WorkSet set, Optional<RowKey> after, int limit) {
        return set.batch(after, limit);
    }
}
