package dev.tributary.batch;

import java.util.Collection;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Record;

/**
 * Computes in Java what the rows of a batch are to hold.
 *
 * @param <R> the type of the rows
 */
@FunctionalInterface
public interface BatchComputation<R extends Record> {
    /**
     * Called in the transaction of the batch, in which the rows are locked; again with another transaction after a deadlock or a
     * serialization failure, so what it does elsewhere may be done twice.
     *
     * @param tx the transaction; it cannot be ended through it
     * @param rows in the order of their keys, at least one; each can be changed and returned
     * @return those that are to be written, in any order: of each the columns that were changed. What is not returned is left
     *     as it is
     * @throws RowFailed rolls the batch back, for one row's sake: called again with fewer rows, until that row stands alone
     * @throws Exception rolls the batch back, and ends the run
     */
    Collection<? extends R> compute(DSLContext tx, List<R> rows) throws Exception;
}
