package dev.tributary.examples.pricerefresh;

/** The run cannot begin with what it was given; the message tells the user, in one line. */
final class Unusable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unusable(String message) {
        super(message);
    }
}
