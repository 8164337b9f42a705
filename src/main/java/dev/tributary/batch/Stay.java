package dev.tributary.batch;

import java.util.List;

/**
 * Rows that were still to do at the end of two sweeps one after the other, whether or not others left the set.
 *
 * @param rows how many, at most 1,000
 * @param reason what was found
 * @param keys of some of them, at most five, as text; of a key of several columns in brackets
 */
public record Stay(long rows, Stall.Reason reason, List<String> keys) {
    /** In one line, for a log. */
    @Override
    public String toString() {
        return rows + " rows stayed in two sweeps: " + reason.text + ", as " + String.join(", ", keys);
    }
}
