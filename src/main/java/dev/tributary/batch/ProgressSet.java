package dev.tributary.batch;

import dev.tributary.internal.Arguments;
import dev.tributary.internal.sql.WorkSet;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/**
 * The rows for which the progress condition holds. What is done to a row has to make the condition false for it: then it has left
 * the set and counts as done. A row that does not leave comes again in the next sweep.
 *
 * @param <R> the type of the rows
 */
public final class ProgressSet<R extends Record> {
    private final String name;
    private final Table<R> table;
    private final WorkSet set;

    ProgressSet(String name, Table<R> table, WorkSet set) {
        this.name = name;
        this.table = table;
        this.set = set;
    }

    /**
     * Updates the rows.
     *
     * @param expression over the columns of the row as it is before
     */
    public <T> BatchColumns set(Field<T> column, Field<T> expression) {
        return BatchColumns.update(name, set).set(column, expression);
    }

    /** As {@link #set(Field, Field)}, with the same value in every row. */
    public <T> BatchColumns set(Field<T> column, @Nullable T value) {
        return BatchColumns.update(name, set).set(column, value);
    }

    /** Deletes the rows. */
    public BatchOptions delete() {
        return new BatchOptions(name, set, Writes.delete());
    }

    /**
     * Copies the rows to another table. The progress condition has to see the copy, as by {@code notExists(…)} over the target;
     * a row is locked while it is copied, and the condition looked at again, so that daemons side by side copy it once.
     *
     * @param column of the target
     * @param expression over the columns of the row
     */
    public <T> BatchColumns insertInto(Table<?> target, Field<T> column, Field<T> expression) {
        return BatchColumns.copy(name, set, Arguments.notNull("the target", target))
                .set(column, expression);
    }

    /** Hands the rows of a batch to Java, and writes back what it returns, in one transaction; columns of the key are not written. */
    public BatchOptions compute(BatchComputation<R> computation) {
        return new BatchOptions(name, set, new Computed<>(table, Arguments.notNull("the computation", computation)));
    }
}
