package dev.tributary.batch;

import dev.tributary.internal.sql.RowKey;
import java.util.List;

/**
 * What became of a batch.
 *
 * @param chosen its rows, in order
 * @param stayed those of them that are still to do after they were written
 * @param ended whether it was the last of its sweep
 */
record Batch(List<RowKey> chosen, List<RowKey> stayed, boolean ended) {
    /** It was rolled back; a smaller one comes next. */
    static final Batch UNDONE = new Batch(List.of(), List.of(), false);

    int done() {
        return chosen.size() - stayed.size();
    }
}
