package dev.tributary.batch;

import dev.tributary.TributaryException;

/**
 * The columns that were given as the key do not name one row: one of them is null, or several rows have the same values. It is
 * found when a batch has been written; that batch was rolled back, those before it are committed.
 */
public final class NotAKey extends TributaryException {
    private static final long serialVersionUID = 1L;

    NotAKey(String message) {
        super(message);
    }
}
