package dev.tributary.worker;

import dev.tributary.Requeued;
import dev.tributary.ReservedJob;
import dev.tributary.Settled;
import java.time.Duration;
import java.util.Optional;

/** Told what a worker does, on the threads that do it: be quick. What it throws is logged and changes nothing. */
public interface WorkerListener {
    /** A job is the worker's. */
    record Reserved(ReservedJob<?> job) {}

    /**
     * A handler has ended.
     *
     * @param outcome a refusal, if the handler threw
     * @param took how long it ran
     * @param thrown what the handler threw; it is logged, too
     */
    record Handled(ReservedJob<?> job, Outcome outcome, Duration took, Optional<Throwable> thrown) {}

    /** A job was to be completed or failed. */
    record Ended(ReservedJob<?> job, Outcome outcome, Settled settled) {}

    /** A job was to be put back: refused by its handler, or given back at shutdown. */
    record PutBack(ReservedJob<?> job, Requeued requeued) {}

    /** A job of anybody's whose lease had expired was put back. */
    record Rescue(Requeued requeued) {}

    /** The heartbeat found that a job that is still being handled is no longer the worker's. */
    record LeaseLost(ReservedJob<?> job) {}

    /**
     * Something that the worker survives went wrong: the database did not answer, a type could not be reserved, a job not be
     * settled.
     *
     * @param doing what it was about, in words
     */
    record Trouble(String doing, Throwable cause) {}

    default void reserved(Reserved event) {}

    default void handled(Handled event) {}

    default void ended(Ended event) {}

    default void putBack(PutBack event) {}

    default void rescued(Rescue event) {}

    default void leaseLost(LeaseLost event) {}

    default void trouble(Trouble event) {}
}
