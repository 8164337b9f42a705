package dev.tributary.examples.pricerefresh;

/** A line of a feed that cannot be used; the message says why. */
final class BadLine extends Exception {
    private static final long serialVersionUID = 1L;

    BadLine(String reason) {
        super(reason);
    }
}
