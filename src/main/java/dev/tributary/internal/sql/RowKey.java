package dev.tributary.internal.sql;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What names a row.
 *
 * @param values of the key columns, in their order
 */
public record RowKey(List<?> values) {
    /** As in a message: {@code 7}, or {@code (a, 7)} for a key of several columns. */
    @Override
    public String toString() {
        return values.size() == 1
                ? String.valueOf(values.get(0))
                : values.stream().map(String::valueOf).collect(Collectors.joining(", ", "(", ")"));
    }
}
