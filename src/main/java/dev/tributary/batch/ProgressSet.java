package dev.tributary.batch;

import dev.tributary.internal.sql.WorkSet;
import java.util.List;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;

/**
 * The rows for which the progress condition holds. What is done to a row has to make the condition false for it: then it has left
 * the set and counts as done. A row that does not leave comes again in the next sweep; so does one that the database refuses to
 * write.
 *
 * <p>Where rows are copied ({@link #insertInto}), the condition has to see the copy, as by {@code notExists(…)} over the target; a
 * row is locked while it is copied, and the condition looked at again, so that daemons side by side copy it once.
 *
 * @param <R> the type of the rows
 */
public final class ProgressSet<R extends Record> extends BatchWork<R> {
    private final WorkSet set;

    ProgressSet(String name, Table<R> table, WorkSet set) {
        super(name, table);
        this.set = set;
    }

    @Override
    Walks doing(Write write) {
        return Sweep.through(set, write);
    }

    @Override
    List<? extends Field<?>> fixed() {
        return set.key();
    }
}
