package dev.tributary.batch;

import dev.tributary.TributaryException;
import org.jspecify.annotations.Nullable;

/**
 * The computation of a batch threw, which is the cause, or returned what cannot be written. The batch was rolled back; those
 * before it are committed, and the next run begins with it.
 */
public final class BatchFailed extends TributaryException {
    private static final long serialVersionUID = 1L;

    BatchFailed(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
