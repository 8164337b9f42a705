package dev.tributary;

import org.jspecify.annotations.Nullable;

/**
 * A payload or a result cannot be stored as it is, or a stored payload cannot be decoded: null, no JSON object, a
 * string with U+0000 or a lone surrogate, a number of more than 900 digits, a field named twice, more than 500 levels of
 * nesting, a merged field of the wrong JSON type, more bytes than the type allows. The message gives the path and the
 * reason.
 *
 * <p>Digits are counted as {@code jsonb} writes them, before and after the decimal point and without an exponent:
 * {@code 1E+899} has 900.
 */
public final class InvalidPayload extends TributaryException {
    private static final long serialVersionUID = 1L;

    public InvalidPayload(String message) {
        super(message);
    }

    public InvalidPayload(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
