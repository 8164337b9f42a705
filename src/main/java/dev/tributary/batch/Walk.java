package dev.tributary.batch;

import java.util.List;
import java.util.Optional;

/** The way of a daemon through the rows that are still to do, a batch at a time and each batch a transaction. */
interface Walk {
    /** A run begins: each row that was set aside is tried again, alone. */
    List<Batch> begin();

    /** One batch. If it throws, nothing of the batch was written, and the next one begins at the same place. */
    Batch batch(int limit);

    /**
     * Tries the next row once more, alone, and sets it aside if it cannot be written: later batches are without it.
     *
     * @throws RuntimeException the refusal, if so many are set aside that no row stands out
     */
    Batch setAside(RuntimeException refusal);

    /** How many rows are still to do. */
    long waiting();

    /** Why nothing moved in the last two runs; empty if something did, or nothing waits. */
    Optional<Stall> stall(Figures run);

    /** The next batch begins at the first row. */
    void reset();
}
