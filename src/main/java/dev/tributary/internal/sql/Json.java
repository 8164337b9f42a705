package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.jsonbArrayAgg;
import static org.jooq.impl.DSL.jsonbGetAttribute;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.octetLength;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.when;

import java.math.BigDecimal;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * Expressions over jsonb (<a href="https://www.postgresql.org/docs/18/functions-json.html">JSON Functions and
 * Operators</a>). None of them raises an error, whatever the JSON is.
 */
public final class Json {
    private static final Field<JSONB> EMPTY_ARRAY = inline(JSONB.jsonb("[]"));

    private Json() {}

    /** The value of a field of an object; SQL NULL if the object does not have it. */
    public static Field<JSONB> field(Field<JSONB> object, String name) {
        return jsonbGetAttribute(object, named(name));
    }

    /** The object with the field set to the value; the object as it is if the value is SQL NULL. */
    public static Field<JSONB> setIfPresent(Field<JSONB> object, String name, Field<JSONB> value) {
        return function(
                name("jsonb_set_lax"),
                SQLDataType.JSONB,
                object,
                array(named(name)),
                value,
                inline(true),
                inline("return_target"));
    }

    /** Two objects: fields of both, the right value where both have one. Two arrays: one after the other. */
    public static Field<JSONB> concat(Field<JSONB> left, Field<JSONB> right) {
        return PlainSql.concat(left, right);
    }

    /** Absent or null: an empty array. No array: an array of that one value. */
    public static Field<JSONB> asArray(Field<JSONB> value) {
        Field<String> type = typeOf(value);
        return when(type.eq(inline("array")), value)
                .when(type.ne(inline("null")), function(name("jsonb_build_array"), SQLDataType.JSONB, value))
                .else_(EMPTY_ARRAY);
    }

    /** No number: SQL NULL. */
    public static Field<BigDecimal> asNumber(Field<JSONB> value) {
        return when(typeOf(value).eq(inline("number")), value.cast(SQLDataType.NUMERIC));
    }

    /** The size of its text: of the stored value, {@code pg_column_size} would say how small it was compressed. */
    public static Field<Integer> bytes(Field<JSONB> value) {
        return octetLength(value.cast(SQLDataType.CLOB));
    }

    public static Field<JSONB> of(Field<?> value) {
        return function(name("to_jsonb"), SQLDataType.JSONB, value);
    }

    /**
     * The older array, then the newer elements that are not in it, each once, in the order first seen; both as
     * {@link #asArray} makes them.
     */
    public static Field<JSONB> union(Field<JSONB> older, Field<JSONB> newer) {
        // OFFSET keeps PostgreSQL from flattening this away: each use of a value would unpack the whole document again.
        Table<?> values =
                select(older.as("older"), newer.as("newer")).offset(inline(0)).asTable("merging");
        Field<JSONB> left = asArray(column("merging", "older", SQLDataType.JSONB));
        Field<JSONB> right = asArray(column("merging", "newer", SQLDataType.JSONB));
        Table<?> known = PlainSql.elements(left, "known");
        Table<?> offered = PlainSql.elements(right, "offered");
        Field<JSONB> value = column("offered", "value", SQLDataType.JSONB);
        Field<Long> n = column("offered", "n", SQLDataType.BIGINT);
        // An anti-join is hashed: 4,000 and 2,400 ids take milliseconds where a test per element takes a hundred.
        // Of values that are equal and look different, such as 1 and 1.0, DISTINCT ON keeps the first.
        Table<?> added = select(value, n)
                .distinctOn(value)
                .from(offered)
                .where(PlainSql.notExists(selectOne()
                        .from(known)
                        .where(column("known", "value", SQLDataType.JSONB).eq(value))))
                .orderBy(value, n)
                .asTable("added");
        Field<JSONB> addedInOrder = DSL.field(select(jsonbArrayAgg(column("added", "value", SQLDataType.JSONB))
                        .orderBy(column("added", "n", SQLDataType.BIGINT)))
                .from(added));
        return DSL.field(
                select(concat(left, coalesce(addedInOrder, EMPTY_ARRAY))).from(values));
    }

    /** Bound: in a literal, a backslash means what the session's standard_conforming_strings says. */
    private static Field<String> named(String field) {
        return param("field", field);
    }

    private static <T> Field<T> column(String table, String column, DataType<T> type) {
        return DSL.field(name(table, column), type);
    }

    private static Field<String> typeOf(Field<JSONB> value) {
        return function(name("jsonb_typeof"), SQLDataType.VARCHAR, value);
    }
}
