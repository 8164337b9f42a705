package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.and;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.or;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.select;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Select;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a table that are still to do, and how a batch of them is chosen: in the order of their keys, those that another
 * has locked passed over. Whatever is done to rows is done to what {@link #batch} chose.
 *
 * @param table any
 * @param key columns that are unique together and never null
 * @param whileTrue holds for a row as long as it is to be done
 */
public record WorkSet(Table<?> table, List<? extends Field<?>> key, Condition whileTrue) {
    /** Names that a host's tables and columns will hardly have: his may be unqualified in the same statement. */
    private static final String BATCH = "tributary_batch";

    private static final String KEY = "tributary_key_";

    static String batchName() {
        return BATCH;
    }

    /** Chooses the keys of a batch and locks its rows. */
    Select<Record> batch(Optional<RowKey> after, int limit) {
        return select(named())
                .from(table)
                .where(whileTrue)
                .and(after.map(this::isAfter).orElse(noCondition()))
                .orderBy(key)
                // Inlined: a generic plan takes an unknown limit for a tenth of the rows, and reads the whole table to
                // write them.
                .limit(inline(limit))
                .forUpdate()
                .skipLocked();
    }

    /** In strict order, so that a batch begins where the last one ended, however many rows have left the set meanwhile. */
    private Condition isAfter(RowKey after) {
        List<Field<?>> values = values("after_", after);
        return key.size() == 1
                ? greater(key.get(0), values.get(0))
                : row(key.toArray(Field<?>[]::new)).gt(row(values.toArray(Field<?>[]::new)));
    }

    private List<Field<?>> values(String parameter, RowKey row) {
        return IntStream.range(0, key.size())
                .<Field<?>>mapToObj(
                        i -> value(parameter + (i + 1), key.get(i), row.values().get(i)))
                .toList();
    }

    /** Of these rows, one alone. */
    public WorkSet only(RowKey row) {
        return new WorkSet(table, key, whileTrue.and(is(row)));
    }

    /** These rows without some. */
    public WorkSet without(Collection<RowKey> rows) {
        return rows.isEmpty()
                ? this
                : new WorkSet(
                        table,
                        key,
                        whileTrue.andNot(or(rows.stream().map(this::is).toList())));
    }

    /** The row is one of the batch. */
    Condition inBatch() {
        return and(IntStream.range(0, key.size())
                .mapToObj(i -> same(key.get(i), batchKey().get(i)))
                .toList());
    }

    /** The row has this key. */
    Condition is(RowKey row) {
        List<Field<?>> values = values("key_", row);
        return and(IntStream.range(0, key.size())
                .mapToObj(i -> same(key.get(i), values.get(i)))
                .toList());
    }

    /** The key columns under the names they have in a batch. */
    List<Field<?>> named() {
        return IntStream.range(0, key.size())
                .<Field<?>>mapToObj(i -> key.get(i).as(KEY + (i + 1)))
                .toList();
    }

    /** The columns of a batch. */
    List<Field<?>> batchKey() {
        return batchKey(BATCH);
    }

    /** The key columns of what has them under these names. */
    List<Field<?>> batchKey(String table) {
        return IntStream.range(0, key.size())
                .<Field<?>>mapToObj(
                        i -> field(name(table, KEY + (i + 1)), key.get(i).getDataType()))
                .toList();
    }

    /** A batch whose keys are known. */
    Table<Record> batchOf(List<RowKey> keys) {
        List<Field<?>> columns = new ArrayList<>();
        for (int i = 0; i < key.size(); i++) {
            int column = i;
            columns.add(values(
                    "keys_" + (i + 1),
                    key.get(i),
                    keys.stream().map(k -> k.values().get(column)).toList()));
        }
        return PlainSql.columns(
                columns,
                BATCH,
                IntStream.rangeClosed(1, key.size()).mapToObj(i -> KEY + i).toList());
    }

    /** The key of a row of an answer, whose first columns it is. */
    public RowKey keyOf(Record row) {
        return new RowKey(
                IntStream.range(0, key.size()).<Object>mapToObj(row::get).toList());
    }

    /** The key of a whole row of the table. */
    public RowKey keyOfWhole(Record row) {
        return new RowKey(key.stream().<Object>map(row::get).toList());
    }

    /** Typed by the column and not by the class of the value: a column may have a converter. */
    static <T> Field<T> value(String parameter, Field<T> column, @Nullable Object value) {
        return param(parameter, column.getDataType())
                .$value(column.getDataType().convert(value));
    }

    private static <T> Field<T[]> values(String parameter, Field<T> column, List<?> values) {
        return param(parameter, column.getDataType().array())
                .$value(column.getDataType().convert(values).toArray(array(column)));
    }

    @SuppressWarnings("unchecked")
    private static <T> T[] array(Field<T> column) {
        return (T[]) java.lang.reflect.Array.newInstance(column.getType(), 0);
    }

    @SuppressWarnings("unchecked")
    private static <T> Condition greater(Field<T> column, Field<?> value) {
        return column.gt((Field<T>) value);
    }

    @SuppressWarnings("unchecked")
    private static <T> Condition same(Field<T> column, Field<?> other) {
        return column.eq((Field<T>) other);
    }
}
