package dev.tributary.batch;

import java.util.Optional;
import org.jooq.exception.DataAccessException;

/** The way of a daemon through the rows that are still to do, a batch at a time and each batch a transaction. */
interface Walk {
    /** A run begins. */
    void begin();

    /** One batch. If it throws, nothing of the batch was written, and the next one begins at the same place. */
    Batch batch(int limit);

    /**
     * Goes past the next row, whose write the database refuses.
     *
     * @throws DataAccessException the refusal, if there is no way past it
     */
    Batch pass(DataAccessException refusal);

    /** How many rows are still to do. */
    long waiting();

    /** Why nothing moved in the last two runs; empty if something did, or nothing waits. */
    Optional<Stall> stall(Figures run);

    /** The next batch begins at the first row. */
    void reset();
}
