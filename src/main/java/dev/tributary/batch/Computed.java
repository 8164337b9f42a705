package dev.tributary.batch;

import dev.tributary.internal.Dialect;
import dev.tributary.internal.sql.BatchLock;
import dev.tributary.internal.sql.BatchRows;
import dev.tributary.internal.sql.RowKey;
import dev.tributary.internal.sql.WorkSet;
import dev.tributary.internal.sql.WriteBack;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.Table;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** The write that is computed in Java: the rows of a batch are locked, read, handed out and written back. */
record Computed<R extends Record>(Table<R> table, BatchComputation<R> computation) implements Write {
    @Override
    public List<RowKey> batch(DSLContext tx, WorkSet set, Optional<RowKey> after, int limit) {
        List<RowKey> keys = Writes.keys(set, tx.fetch(BatchLock.keys(set, after, limit)));
        List<R> rows = keys.isEmpty() ? List.of() : typed(tx.fetch(BatchRows.query(set, keys)));
        if (!rows.isEmpty()) {
            Set<RowKey> given = rows.stream().map(set::keyOfWhole).collect(Collectors.toSet());
            write(tx, set, given, compute(tx, rows));
        }
        return keys;
    }

    /** A table that names no columns has rows of whatever columns there are. */
    @SuppressWarnings("unchecked")
    private List<R> typed(Result<Record> rows) {
        Result<R> typed = table.fields().length == 0 ? (Result<R>) rows : rows.into(table);
        typed.forEach(row -> row.changed(false));
        return List.copyOf(typed);
    }

    private @Nullable Collection<? extends R> compute(DSLContext tx, List<R> rows) {
        try {
            return computation.compute(Dialect.lent(tx), rows);
        } catch (DataAccessException e) {
            // As from a statement of our own: it may be run again.
            throw e;
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new BatchFailed("the computation of a batch of " + rows.size() + " rows threw " + e, e);
        }
    }

    /** Rows with the same changed columns are one prepared statement. */
    private static void write(
            DSLContext tx, WorkSet set, Set<RowKey> given, @Nullable Collection<? extends Record> returned) {
        if (returned == null) {
            throw new BatchFailed("the computation returned null: it returns the rows to be written, maybe none", null);
        }
        Map<List<Field<?>>, List<Record>> byColumns = new LinkedHashMap<>();
        for (Record row : returned) {
            requireOneOfTheBatch(set, given, row);
            List<Field<?>> changed =
                    Stream.<Field<?>>of(row.fields()).filter(row::changed).toList();
            if (!changed.isEmpty()) {
                byColumns.computeIfAbsent(changed, columns -> new ArrayList<>()).add(row);
            }
        }
        byColumns.forEach((columns, rows) -> write(tx, set, columns, rows));
    }

    private static void write(DSLContext tx, WorkSet set, List<Field<?>> columns, List<Record> rows) {
        Record first = rows.get(0);
        Object[][] binds = rows.stream()
                .map(row -> WriteBack.binds(values(columns, row), set.keyOfWhole(row)))
                .toArray(Object[][]::new);
        int[] written = tx.batch(WriteBack.query(set, columns, values(columns, first), set.keyOfWhole(first)))
                .bind(binds)
                .execute();
        Writes.requireOneRowEach(set, rows.size(), IntStream.of(written).sum());
    }

    private static List<Object> values(List<Field<?>> columns, Record row) {
        return columns.stream().<Object>map(row::get).toList();
    }

    private static void requireOneOfTheBatch(WorkSet set, Set<RowKey> given, @Nullable Record row) {
        if (row == null || !given.contains(set.keyOfWhole(row))) {
            throw new BatchFailed(
                    "the computation returned a row that is not in the batch: "
                            + (row == null ? "null" : "key " + set.keyOfWhole(row))
                            + "; it returns rows that it was given, with their keys as they were",
                    null);
        }
    }
}
