package dev.tributary;

import org.jspecify.annotations.Nullable;

/**
 * Root of what the library itself refuses. It is thrown before any SQL is sent unless the subclass says otherwise, so
 * nothing is written and the caller's transaction stays usable.
 *
 * <p>Errors of the database are not wrapped in it: they reach the caller as jOOQ's
 * {@link org.jooq.exception.DataAccessException}, with their cause and {@code sqlState()}. The one exception is
 * {@link dev.tributary.inbox.IngestFailed}, which has something to tell beside: there they are the cause.
 */
public class TributaryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TributaryException(String message) {
        super(message);
    }

    public TributaryException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
