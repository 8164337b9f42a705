package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.select;

import java.util.List;
import org.jooq.Record;
import org.jooq.ResultQuery;

/**
 * Which rows of a batch are still to do after it was written: the computation gave NULL, a trigger put the old value back,
 * rounding did. A statement of its own, for only its snapshot shows what triggers and the write itself have done.
 */
public final class StillInSet {
    private StillInSet() {}

    /** @return their keys, in order */
    public static ResultQuery<Record> query(WorkSet set, List<RowKey> keys) {
        return select(set.named())
                .from(set.table(), set.batchOf(keys))
                .where(set.inBatch())
                .and(set.whileTrue())
                .orderBy(set.key());
    }
}
