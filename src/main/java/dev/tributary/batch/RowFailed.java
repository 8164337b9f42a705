package dev.tributary.batch;

import dev.tributary.TributaryException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a {@link BatchComputation} for the sake of one row: it cannot be computed, and others can. The batch is rolled back and
 * halved until the row stands alone; then it is set aside, told to the listener, and the others are done. What a computation throws
 * else ends the run.
 */
public final class RowFailed extends TributaryException {
    private static final long serialVersionUID = 1L;

    /**
     * @param message which row, and what is wrong with it
     * @param cause null if there is none
     */
    public RowFailed(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
