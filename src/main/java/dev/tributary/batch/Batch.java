package dev.tributary.batch;

import dev.tributary.internal.sql.RowKey;
import java.util.List;

/**
 * What became of a batch.
 *
 * @param selected how many rows it had
 * @param stayed those of them that are still to do after they were written
 * @param failed those of them that cannot be written
 * @param ended whether it was the last of its sweep
 */
record Batch(long selected, List<RowKey> stayed, List<FailedRow> failed, boolean ended) {
    /** It was rolled back; a smaller one comes next. */
    static final Batch UNDONE = of(0, false);

    /** There is nothing to do, or nothing for this daemon. */
    static final Batch NONE = of(0, true);

    static Batch of(long selected, boolean ended) {
        return new Batch(selected, List.of(), List.of(), ended);
    }

    /** One row, which cannot be written. */
    static Batch failed(RowKey row, RuntimeException cause) {
        return new Batch(1, List.of(), List.of(new FailedRow(row, cause)), false);
    }

    long done() {
        return selected - stayed.size() - failed.size();
    }
}
