package dev.tributary.inbox;

import dev.tributary.TributaryException;
import org.jspecify.annotations.Nullable;

/**
 * An event cannot be stored: it is null; its business key is null, empty, longer than 1,024 bytes of UTF-8, or holds U+0000
 * or a lone surrogate; its payload is null, too long, or no JSON that {@code jsonb} stores without an error and without a loss.
 * The message gives the index and the reason.
 */
public final class InvalidEvent extends TributaryException {
    private static final long serialVersionUID = 1L;

    private final int index;
    private final String reason;
    private final transient @Nullable Event event;

    InvalidEvent(int index, @Nullable Event event, String reason, @Nullable Throwable cause) {
        super("event at index " + index + ": " + reason, cause);
        this.index = index;
        this.event = event;
        this.reason = reason;
    }

    /** The place of the event in the list of the call, from 0. */
    public int index() {
        return index;
    }

    /** The event as it was given; null if that was null. */
    public @Nullable Event event() {
        return event;
    }

    /** What is wrong with it. */
    public String reason() {
        return reason;
    }
}
