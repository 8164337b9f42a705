package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.list;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.query;
import static org.jooq.impl.DSL.table;

import java.util.List;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Name;
import org.jooq.Record;
import org.jooq.Record1;
import org.jooq.RowCountQuery;
import org.jooq.Select;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** The SQL for which jOOQ has no typed form. Nothing else in the library is a string of SQL. */
public final class PlainSql {
    private PlainSql() {}

    /** {@code ||} on jsonb: jOOQ's own concatenation is one of texts and casts its operands. */
    static Field<JSONB> concat(Field<JSONB> left, Field<JSONB> right) {
        return field("({0} || {1})", SQLDataType.JSONB, left, right);
    }

    /**
     * The elements of a jsonb array and their positions from 1. jOOQ types {@code JSON_TABLE}, which PostgreSQL has from
     * 17 on, and numbers rows by {@code row_number()} where the server has WITH ORDINALITY.
     */
    static Table<Record> elements(Field<JSONB> array, String alias) {
        return table("jsonb_array_elements({0}) WITH ORDINALITY", array).as(name(alias), name("value"), name("n"));
    }

    /** Arrays of keys and payloads side by side, as {@link #columns}, with their positions from 1. */
    static Table<Record> requests(Field<String[]> keys, Field<JSONB[]> configs, String alias) {
        return numbered(keys, configs).as(name(alias), name("merge_key"), name("config"), name("n"));
    }

    /** Events that were delivered, as {@link #requests}. */
    static Table<Record> deliveries(Field<String[]> keys, Field<JSONB[]> payloads, String alias) {
        return numbered(keys, payloads).as(name(alias), name("business_key"), name("payload"), name("n"));
    }

    /** For the reason of {@link #columns}, and for that of {@link #elements}. */
    private static Table<Record> numbered(Field<String[]> keys, Field<JSONB[]> values) {
        return table("unnest({0}, {1}) WITH ORDINALITY", keys, values);
    }

    /**
     * Arrays side by side, as many as there are. jOOQ unnests one array at a time, and joining two by position is a nested loop
     * in a generic plan.
     */
    static Table<Record> columns(List<Field<?>> arrays, String alias, List<String> names) {
        return table("unnest({0})", list(arrays.toArray(Field<?>[]::new)))
                .as(name(alias), names.stream().map(DSL::name).toArray(Name[]::new));
    }

    /**
     * Whether there is no such row. jOOQ types it by a method that has another signature from 3.21 on: compiled for the one it does not
     * link with the other.
     */
    static <T> Condition notExists(Select<? extends Record1<T>> rows) {
        return condition("NOT EXISTS {0}", field(rows));
    }

    /** jOOQ has no LISTEN; a channel is an identifier, which cannot be bound. */
    public static RowCountQuery listen(String channel) {
        return query("LISTEN {0}", name(channel));
    }

    /** All channels of the session; jOOQ has no UNLISTEN either. */
    public static RowCountQuery unlisten() {
        return query("UNLISTEN *");
    }

    /**
     * The isolation of the transaction that has just begun: jOOQ has no SET TRANSACTION. JDBC's setTransactionIsolation
     * would change the session, which a transaction pooler hands to somebody else.
     */
    public static RowCountQuery readCommitted() {
        return query("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    }
}
