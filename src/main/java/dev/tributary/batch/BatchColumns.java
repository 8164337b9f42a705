package dev.tributary.batch;

import static org.jooq.impl.DSL.val;

import dev.tributary.InvalidArgument;
import dev.tributary.internal.Arguments;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** Which columns a daemon writes; at least one. */
public final class BatchColumns extends BatchOptions {
    private final Map<Field<?>, Field<?>> values;
    private final List<? extends Field<?>> fixed;

    private BatchColumns(String name, Walks walks, Map<Field<?>, Field<?>> values, List<? extends Field<?>> fixed) {
        super(name, walks);
        this.values = values;
        this.fixed = fixed;
    }

    static BatchColumns of(
            String name, Function<Map<Field<?>, Field<?>>, Walks> writing, List<? extends Field<?>> fixed) {
        Map<Field<?>, Field<?>> values = new LinkedHashMap<>();
        return new BatchColumns(name, writing.apply(values), values, fixed);
    }

    /**
     * One more column.
     *
     * @param expression over the columns of the row as it is before
     * @throws InvalidArgument if an argument is null, the column has been set, or the rows are found by it
     */
    public <T> BatchColumns set(Field<T> column, Field<T> expression) {
        Arguments.notNull("the column", column);
        if (fixed.stream().anyMatch(key -> key.getName().equals(column.getName()))) {
            throw new InvalidArgument(
                    "the column " + column + " is one by which the rows are found: a daemon cannot change it");
        }
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
