package dev.tributary.batch;

import dev.tributary.internal.sql.RowKey;
import java.util.List;

/**
 * Rows wait, and in two runs one after the other none left the set.
 *
 * @param waiting how many
 * @param reason what was found
 * @param keys of some of them, at most five, as text; of a key of several columns in brackets
 */
public record Stall(long waiting, Reason reason, List<String> keys) {
    /** Why no row leaves the set. */
    public enum Reason {
        /** Rows are written and the condition holds all the same: it gives NULL, a trigger puts the old value back, it is rounded. */
        STILL_IN_SET("they are still in the set after they were written"),

        /** Another transaction has locked rows that wait, or the position of a cursor, and has had in both runs. */
        LOCKED("another transaction has locked them"),

        /** They cannot be written, and are set aside: a CHECK, a foreign key, a division by zero, a {@link RowFailed}. */
        WRITE_FAILS("they cannot be written"),

        /** A cursor goes no further than where a transaction that is still open may have written, see {@link Keyset}. */
        HELD_BACK("a transaction that has been open since before they were written may still write before them"),

        /** They can be read but not chosen for writing: a policy of row security, or they came behind the walk each time. */
        NOT_SELECTED("they are not chosen, though nobody has locked them");

        final String text;

        Reason(String text) {
            this.text = text;
        }
    }

    static final int SAMPLE = 5;

    static Stall of(long waiting, Reason reason, List<RowKey> rows) {
        return new Stall(waiting, reason, rows.stream().map(RowKey::toString).toList());
    }

    /** In one line, for a log. */
    @Override
    public String toString() {
        return waiting + " rows wait and none left the set in two runs: " + reason.text + ", as "
                + String.join(", ", keys);
    }
}
