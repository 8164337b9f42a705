package dev.tributary.batch;

import dev.tributary.InvalidArgument;
import dev.tributary.internal.Arguments;
import java.util.List;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/**
 * The rows that are to be done, and what can be done to them.
 *
 * @param <R> the type of the rows
 */
public abstract sealed class BatchWork<R extends Record> permits ProgressSet, Keyset {
    final String name;
    final Table<R> table;

    BatchWork(String name, Table<R> table) {
        this.name = name;
        this.table = table;
    }

    abstract Walks doing(Write write);

    /** The columns by which the rows are found, and which no write may change. */
    abstract List<? extends Field<?>> fixed();

    /**
     * Updates the rows.
     *
     * @param expression over the columns of the row as it is before
     * @throws InvalidArgument if an argument is null, or the column is one by which the rows are found
     */
    public <T> BatchColumns set(Field<T> column, Field<T> expression) {
        return update().set(column, expression);
    }

    /** As {@link #set(Field, Field)}, with the same value in every row. */
    public <T> BatchColumns set(Field<T> column, @Nullable T value) {
        return update().set(column, value);
    }

    private BatchColumns update() {
        return BatchColumns.of(name, values -> doing(new Writes.Update(values)), fixed());
    }

    /** Deletes the rows. */
    public BatchOptions delete() {
        return new BatchOptions(name, doing(new Writes.Delete()));
    }

    /**
     * Copies the rows to another table.
     *
     * @param column of the target
     * @param expression over the columns of the row
     */
    public <T> BatchColumns insertInto(Table<?> target, Field<T> column, Field<T> expression) {
        Arguments.notNull("the target", target);
        return BatchColumns.of(name, values -> doing(new Writes.Copy(target, values)), List.of())
                .set(column, expression);
    }

    /**
     * Hands the rows of a batch to Java, and writes back what it returns, in one transaction; columns by which the rows are found are
     * not written.
     */
    public BatchOptions compute(BatchComputation<R> computation) {
        return new BatchOptions(name, doing(new Computed<>(table, Arguments.notNull("the computation", computation))));
    }
}
