package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.select;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Select;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/**
 * Rows of a keyset that are side by side. They are read without a lock, on one snapshot: a lock that waited would show some of them as
 * they are after it, and one whose sort key has grown meanwhile would take the position past the others.
 *
 * @param part which of its rows
 * @param last the row behind which none is among them
 * @param limit how many they are at most
 */
public record KeysetPage(KeysetOrder keyset, Condition part, Optional<Position> last, int limit) {
    private static final String SORT = "tributary_sort";

    /**
     * The next rows.
     *
     * @param after the position; empty before the first row
     * @param last the row behind which none is among them; rows without a sort key are before any
     */
    public static KeysetPage after(KeysetOrder keyset, Optional<Position> after, Optional<Position> last, int limit) {
        return new KeysetPage(keyset, keyset.next(after), keyset.isAmongNulls(after) ? Optional.empty() : last, limit);
    }

    /** The row that is there, if it still is. */
    public static KeysetPage at(KeysetOrder keyset, Position place) {
        return new KeysetPage(keyset, keyset.at(place), Optional.empty(), 1);
    }

    /** Their ids, sort keys and places, in order. */
    public Select<Record> rows() {
        Select<Record> rows = select(columns())
                .from(keyset.table())
                .where(part)
                .orderBy(keyset.order())
                // For the reason of WorkSet#batch.
                .limit(inline(limit));
        return last.isEmpty() ? rows : upTo(last.get(), rows);
    }

    /** Outside the limit: inside, a generic plan expects few rows between two bounds, and sorts all that there are. */
    private Select<Record> upTo(Position end, Select<Record> rows) {
        Table<Record> page = rows.asTable(name("tributary_page"));
        return select(page.fields())
                .from(page)
                .where(row(order(page.getUnqualifiedName().last())).le(row(KeysetOrder.values("last_", end.texts()))))
                .orderBy(order(page.getUnqualifiedName().last()));
    }

    private List<Field<?>> columns() {
        List<Field<?>> columns = new ArrayList<>(keyset.rows().named());
        columns.add(keyset.sort().as(SORT));
        columns.addAll(keyset.places());
        return columns;
    }

    /** The columns of the keyset, in a batch. */
    List<Field<?>> order() {
        return order(WorkSet.batchName());
    }

    private List<Field<?>> order(String table) {
        List<Field<?>> order = new ArrayList<>(keyset.rows().batchKey(table));
        if (!keyset.id().contains(keyset.sort())) {
            order.add(0, field(name(table, SORT), keyset.sort().getDataType()));
        }
        return order;
    }

    /** The place of a row, in a batch. */
    List<Field<?>> place() {
        return IntStream.rangeClosed(1, keyset.order().size())
                .<Field<?>>mapToObj(i -> field(name(WorkSet.batchName(), KeysetOrder.PLACE + i), SQLDataType.VARCHAR))
                .toList();
    }

    /** The place of a row of an answer, of which {@link #place} are the last columns. */
    public Position placeOf(Record row) {
        int columns = keyset.order().size();
        return Position.of(IntStream.range(row.size() - columns, row.size())
                .mapToObj(i -> row.get(i, String.class))
                .toArray(String[]::new));
    }
}
