package dev.tributary.batch;

import static org.jooq.impl.DSL.val;

import dev.tributary.InvalidArgument;
import dev.tributary.internal.Arguments;
import dev.tributary.internal.sql.WorkSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jooq.Field;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/** Which columns a daemon writes; at least one. */
public final class BatchColumns extends BatchOptions {
    private final Map<Field<?>, Field<?>> values;

    private BatchColumns(
            String name, WorkSet set, Map<Field<?>, Field<?>> values, Function<Map<Field<?>, Field<?>>, Write> write) {
        super(name, set, write.apply(values));
        this.values = values;
    }

    static BatchColumns update(String name, WorkSet set) {
        return new BatchColumns(name, set, new LinkedHashMap<>(), Writes::update);
    }

    static BatchColumns copy(String name, WorkSet set, Table<?> target) {
        return new BatchColumns(name, set, new LinkedHashMap<>(), values -> Writes.copy(target, values));
    }

    /**
     * One more column.
     *
     * @param expression over the columns of the row as it is before
     * @throws InvalidArgument if an argument is null or the column has been set
     */
    public <T> BatchColumns set(Field<T> column, Field<T> expression) {
        Arguments.notNull("the column", column);
        if (values.putIfAbsent(column, Arguments.notNull("the expression for " + column, expression)) != null) {
            throw new InvalidArgument("the column " + column + " is set twice");
        }
        return this;
    }

    /** One more column, with the same value in every row. */
    public <T> BatchColumns set(Field<T> column, @Nullable T value) {
        return set(column, val(value, Arguments.notNull("the column", column)));
    }
}
