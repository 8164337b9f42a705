package dev.tributary.batch;

import dev.tributary.internal.Dialect;
import dev.tributary.internal.sql.BatchLock;
import dev.tributary.internal.sql.BatchRows;
import dev.tributary.internal.sql.KeysetPage;
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
        if (!keys.isEmpty()) {
            write(tx, set, set.key(), tx.fetch(BatchRows.query(set, keys)));
        }
        return keys;
    }

    @Override
    public Passed page(DSLContext tx, KeysetPage page) {
        Result<Record> read = tx.fetch(page.rows());
        if (read.isEmpty()) {
            return Passed.NONE;
        }
        WorkSet set = page.keyset().rows();
        List<RowKey> keys = Writes.keys(set, read);
        write(tx, set, page.keyset().order(), tx.fetch(BatchRows.locked(page.keyset(), keys)));
        return new Passed(read.size(), Optional.of(page.placeOf(read.get(read.size() - 1))));
    }

    private void write(DSLContext tx, WorkSet set, List<? extends Field<?>> fixed, Result<Record> locked) {
        List<R> rows = typed(locked);
        if (!rows.isEmpty()) {
            Set<RowKey> keys = rows.stream().map(set::keyOfWhole).collect(Collectors.toSet());
            write(tx, new Given(set, keys, fixed), compute(tx, rows));
        }
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
        } catch (DataAccessException | RowFailed e) {
            // As from a statement of our own: it may be run again, or with fewer rows.
            throw e;
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new BatchFailed("the computation of a batch of " + rows.size() + " rows threw " + e, e);
        }
    }

    /** Rows with the same changed columns are one prepared statement. */
    private static void write(DSLContext tx, Given given, @Nullable Collection<? extends Record> returned) {
        if (returned == null) {
            throw new BatchFailed("the computation returned null: it returns the rows to be written, maybe none", null);
        }
        Map<List<Field<?>>, List<Record>> byColumns = new LinkedHashMap<>();
        for (Record row : returned) {
            given.requireOneOfThem(row);
            List<Field<?>> changed =
                    Stream.<Field<?>>of(row.fields()).filter(row::changed).toList();
            if (!changed.isEmpty()) {
                byColumns.computeIfAbsent(changed, columns -> new ArrayList<>()).add(row);
            }
        }
        byColumns.forEach((columns, rows) -> write(tx, given.set(), columns, rows));
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

    /** What the computation was given: rows of these keys, in which the fixed columns are to stay as they are. */
    private record Given(WorkSet set, Set<RowKey> keys, List<? extends Field<?>> fixed) {
        void requireOneOfThem(@Nullable Record row) {
            if (row == null || !keys.contains(set.keyOfWhole(row))) {
                throw new BatchFailed(
                        "the computation returned a row that is not in the batch: "
                                + (row == null ? "null" : "key " + set.keyOfWhole(row))
                                + "; it returns rows that it was given, with their keys as they were",
                        null);
            }
            fixed.stream().filter(row::changed).findFirst().ifPresent(column -> {
                throw new BatchFailed(
                        "the computation changed the column " + column + ", by which the rows are found, of the row "
                                + set.keyOfWhole(row),
                        null);
            });
        }
    }
}
