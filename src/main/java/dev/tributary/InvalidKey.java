package dev.tributary;

import org.jspecify.annotations.Nullable;

/**
 * A merge key is null, empty, longer than 1,024 bytes of UTF-8, or holds U+0000 or a lone surrogate; or the key function
 * threw what is the cause.
 */
public final class InvalidKey extends TributaryException {
    private static final long serialVersionUID = 1L;

    public InvalidKey(String message) {
        super(message);
    }

    public InvalidKey(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
