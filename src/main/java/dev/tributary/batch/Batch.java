package dev.tributary.batch;

import dev.tributary.internal.sql.RowKey;
import java.util.List;

/**
 * What became of a batch.
 *
 * @param selected how many rows it had
 * @param stayed those of them that are still to do after they were written
 * @param failed how many of these the database refused to write
 * @param ended whether it was the last of its sweep
 */
record Batch(long selected, List<RowKey> stayed, long failed, boolean ended) {
    /** It was rolled back; a smaller one comes next. */
    static final Batch UNDONE = new Batch(0, List.of(), 0, false);

    /** There is nothing to do, or nothing for this daemon. */
    static final Batch NONE = new Batch(0, List.of(), 0, true);

    static Batch of(long selected, List<RowKey> stayed, boolean ended) {
        return new Batch(selected, stayed, 0, ended);
    }

    long done() {
        return selected - stayed.size();
    }
}
