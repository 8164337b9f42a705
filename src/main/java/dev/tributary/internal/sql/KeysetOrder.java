package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.not;
import static org.jooq.impl.DSL.or;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.select;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Select;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a table in a strict order: first those whose sort key is null, by id, then the others by sort key and id. Both parts
 * are read in the order of one plain index, which has nulls last.
 *
 * @param table any
 * @param sort what the rows are ordered by; it may be the id itself
 * @param id columns that are unique together and never null
 * @param filter holds for the rows that are written; the others are walked past
 */
public record KeysetOrder(Table<?> table, Field<?> sort, List<? extends Field<?>> id, Condition filter) {
    static final String PLACE = "tributary_place_";

    private static final DataType<String> TEXT = SQLDataType.VARCHAR.asConvertedDataType(new ServerTyped());

    /** The columns whose values are a {@link Position}. */
    public List<? extends Field<?>> order() {
        return Stream.concat(Stream.of(sort), id.stream()).distinct().toList();
    }

    /** The names of these columns. */
    public String[] names() {
        return order().stream().map(Field::getName).toArray(String[]::new);
    }

    private boolean mayBeNull() {
        return sort.getDataType().nullable() && !id.contains(sort);
    }

    /** Whether what comes next are rows without a sort key. */
    public boolean isAmongNulls(Optional<Position> position) {
        return position.map(Position::isAmongNulls).orElse(mayBeNull());
    }

    /** The rest of the part that the position is in. */
    Condition next(Optional<Position> position) {
        if (position.isEmpty()) {
            return mayBeNull() ? sort.isNull() : noCondition();
        }
        Position place = position.get();
        if (place.isAmongNulls()) {
            return sort.isNull().and(isAfter(id, idOf(place)));
        }
        return place.isBehindNulls() ? sort.isNotNull() : isAfter(order(), place.texts());
    }

    /** The row that is there. */
    Condition at(Position place) {
        List<@Nullable String> texts = place.texts();
        return place.isAmongNulls()
                ? sort.isNull().and(hasId(place))
                : row(order()).eq(row(values("place_", texts)));
    }

    /** The same walk without some rows, which are passed as if the filter left them out. */
    public KeysetOrder without(List<Position> places) {
        return places.isEmpty() ? this : new KeysetOrder(table, sort, id, filter.and(isNone(places)));
    }

    private Condition isNone(List<Position> places) {
        return places.isEmpty()
                ? noCondition()
                : not(or(places.stream().map(this::hasId).toList()));
    }

    /** The key of the row that is there. */
    public RowKey keyOf(Position place) {
        return new RowKey(idOf(place));
    }

    private Condition hasId(Position place) {
        return row(id).eq(row(values("id_", idOf(place))));
    }

    private List<@Nullable String> idOf(Position place) {
        return place.texts().subList(order().size() - id.size(), order().size());
    }

    /** All that comes after the position, without some. */
    public WorkSet ahead(Optional<Position> position, List<Position> without) {
        Condition ahead = position.isEmpty()
                ? noCondition()
                : isAmongNulls(position) ? next(position).or(sort.isNotNull()) : next(position);
        return new WorkSet(table, id, ahead.and(isNone(without)));
    }

    /** The rows that are written, by their ids. */
    public WorkSet rows() {
        return new WorkSet(table, id, filter);
    }

    /** The place of the last row that has a sort key, for {@link #placeOf}; no row if none has. */
    public Select<Record> last() {
        return select(places())
                .from(table)
                .where(mayBeNull() ? sort.isNotNull() : noCondition())
                .orderBy(order().stream().map(Field::desc).toList())
                .limit(inline(1));
    }

    public static Position placeOf(Record last) {
        return Position.of(last.into(String[].class));
    }

    /** Where the rows that have a sort key begin. */
    public Position behindNulls() {
        return Position.of(new String[order().size()]);
    }

    /** The text of each column, under a name that is not the column's: ORDER BY would sort by the text. */
    List<Field<String>> places() {
        List<? extends Field<?>> order = order();
        return IntStream.range(0, order.size())
                .mapToObj(i -> order.get(i).cast(SQLDataType.VARCHAR).as(PLACE + (i + 1)))
                .toList();
    }

    private static Condition isAfter(List<? extends Field<?>> columns, List<@Nullable String> texts) {
        return row(columns).gt(row(values("after_", texts)));
    }

    static List<Field<String>> values(String parameter, List<@Nullable String> texts) {
        return IntStream.range(0, texts.size())
                .<Field<String>>mapToObj(i -> param(parameter + (i + 1), TEXT).$value(texts.get(i)))
                .toList();
    }
}
