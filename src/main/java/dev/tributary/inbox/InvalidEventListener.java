package dev.tributary.inbox;

/** Told of each event that {@link Inbox#skipInvalid} leaves out. */
@FunctionalInterface
public interface InvalidEventListener {
    /** Called before any SQL, on the thread of the caller, in the order of the events. What it throws ends the call. */
    void skipped(InvalidEvent invalid);
}
