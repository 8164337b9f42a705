package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.EVENTS;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import dev.tributary.db.tables.Events;
import org.jooq.JSONB;
import org.jooq.Record1;
import org.jooq.ResultQuery;
import org.jooq.impl.SQLDataType;

/**
 * Compares duplicates with the events that are stored, as {@code jsonb} does: by value. A statement of its own after
 * {@link Accept}, whose snapshot does not show what it waited for.
 */
public final class Differing {
    private static final Events GIVEN = EVENTS.as("given");

    private Differing() {}

    /** @return the places, from 1, of those that differ */
    public static ResultQuery<Record1<Integer>> query(String[] keys, JSONB[] payloads) {
        return select(field(name(GIVEN.getName(), "n"), SQLDataType.INTEGER))
                .from(PlainSql.deliveries(param("keys", keys), param("payloads", payloads), GIVEN.getName()))
                .join(EVENTS)
                .on(EVENTS.BUSINESS_KEY.eq(GIVEN.BUSINESS_KEY))
                .where(EVENTS.PAYLOAD.ne(GIVEN.PAYLOAD));
    }
}
