package dev.tributary.internal;

import java.util.Optional;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;

/** Where statements run: in transactions of the library's own, or in the caller's. */
public sealed interface Steps permits OwnTransactions, CallerTransaction {
    String UNIQUE_VIOLATION = "23505";

    /**
     * Runs one step. What it throws passes through; errors of the database are jOOQ's
     * {@link org.jooq.exception.DataAccessException}.
     */
    <T> T run(Function<DSLContext, T> step);

    /**
     * Runs one step that may find its place taken: a unique violation (23505) undoes this step alone and is answered with
     * empty. Everything else is as with {@link #run}.
     */
    default <T> Optional<T> runUnlessTaken(Function<DSLContext, T> step) {
        try {
            return Optional.of(runWhole(step));
        } catch (DataAccessException e) {
            if (UNIQUE_VIOLATION.equals(e.sqlState())) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Runs one step that leaves nothing behind if it throws, no rows and no locks; the transaction it is part of can go on, unless
     * the connection is gone.
     */
    <T> T runWhole(Function<DSLContext, T> step);

    /** Runs several steps in one transaction. */
    <T> T together(Function<Steps, T> steps);
}
