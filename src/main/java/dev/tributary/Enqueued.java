package dev.tributary;

/** What became of an enqueued payload. It holds once the transaction of the enqueue has committed. */
public sealed interface Enqueued {
    /** The job that carries the payload now. A later requeue may merge that job into another. */
    long jobId();

    /** No job of the key was pending: a new one was inserted. */
    record Inserted(long jobId) implements Enqueued {}

    /** The payload was merged into the pending job of its key. */
    record Merged(long jobId) implements Enqueued {}
}
