package dev.tributary;

/** An argument is out of its range: a limit below 1, a negative or over-long duration, an unusable name. */
public final class InvalidArgument extends TributaryException {
    private static final long serialVersionUID = 1L;

    public InvalidArgument(String message) {
        super(message);
    }
}
