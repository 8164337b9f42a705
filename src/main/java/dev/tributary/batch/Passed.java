package dev.tributary.batch;

import dev.tributary.internal.sql.Position;
import java.util.Optional;

/**
 * The rows that a cursor has gone past.
 *
 * @param last the place of the last of them; empty if there were none
 */
record Passed(long rows, Optional<Position> last) {
    static final Passed NONE = new Passed(0, Optional.empty());
}
