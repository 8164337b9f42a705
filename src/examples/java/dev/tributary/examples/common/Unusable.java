package dev.tributary.examples.common;

/** The run cannot begin with what it was given; the message tells the user, in one line. */
public final class Unusable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Unusable(String message) {
        super(message);
    }
}
