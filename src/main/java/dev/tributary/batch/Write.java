package dev.tributary.batch;

import dev.tributary.internal.sql.KeysetPage;
import dev.tributary.internal.sql.RowKey;
import dev.tributary.internal.sql.WorkSet;
import java.util.List;
import java.util.Optional;
import org.jooq.DSLContext;

/** What is done to the rows of a batch, in its transaction. */
interface Write {
    /**
     * Chooses a batch of a set, locks it and writes it.
     *
     * @param after the batch begins after this key, or at the first
     * @param limit how many rows it has at most; fewer only if there are no more
     * @return the keys of the batch, in order
     */
    List<RowKey> batch(DSLContext tx, WorkSet set, Optional<RowKey> after, int limit);

    /** Reads the next rows of a keyset and writes them. */
    Passed page(DSLContext tx, KeysetPage page);
}
