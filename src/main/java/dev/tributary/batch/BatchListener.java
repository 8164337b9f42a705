package dev.tributary.batch;

/** Told what daemons do, on the threads that do it: be quick. What it throws is logged and changes nothing. */
public interface BatchListener {
    /**
     * The figures: at the end of every run, and every minute in a longer one.
     *
     * @param daemon its name
     */
    record Advanced(String daemon, Progress progress) {}

    /** A stall has begun; it is told once. */
    record Stalled(String daemon, Stall stall) {}

    /** A stall is over: rows leave the set again, or none waits. */
    record Recovered(String daemon, Progress progress) {}

    /**
     * A run on the daemon's own thread was ended by an error, and the next one goes on where it stopped; or a count of the rows that
     * wait took too long.
     */
    record Trouble(String daemon, Throwable cause) {}

    /**
     * Rows stayed in the set in two sweeps one after the other, while the daemon goes on with the others; told once, and again when
     * none had stayed for a sweep.
     */
    record Stayed(String daemon, Stay stay) {}

    /**
     * A row cannot be written (SQLSTATE classes 22, 23 and P0, or {@link RowFailed}); it is set aside, and tried again alone with each
     * run. It is told when it is set aside, not with each trial.
     *
     * @param key of the row, as text; of a key of several columns in brackets
     * @param cause what the database or the computation said
     */
    record RowSetAside(String daemon, String key, Throwable cause) {}

    default void advanced(Advanced event) {}

    default void stalled(Stalled event) {}

    default void recovered(Recovered event) {}

    default void stayed(Stayed event) {}

    default void rowSetAside(RowSetAside event) {}

    default void trouble(Trouble event) {}
}
