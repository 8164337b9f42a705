package dev.tributary;

/** A merge key is null, empty, longer than 1,024 bytes of UTF-8, or holds U+0000 or a lone surrogate. */
public final class InvalidKey extends TributaryException {
    private static final long serialVersionUID = 1L;

    public InvalidKey(String message) {
        super(message);
    }
}
