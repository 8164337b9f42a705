package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.EVENTS;
import static org.jooq.impl.DSL.collation;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.quotedName;
import static org.jooq.impl.DSL.select;

import dev.tributary.db.tables.Events;
import org.jooq.JSONB;
import org.jooq.Record1;
import org.jooq.ResultQuery;

/**
 * Stores the events whose business keys are new. Rows are inserted in the order of their keys, so that two such statements
 * wait for each other and do not deadlock; an event that another transaction has stored and not committed is waited for.
 */
public final class Accept {
    private static final Events GIVEN = EVENTS.as("given");

    private Accept() {}

    /**
     * @param keys each once
     * @param payloads one for each key
     * @return the keys that were new
     */
    public static ResultQuery<Record1<String>> query(String[] keys, JSONB[] payloads) {
        return insertInto(EVENTS)
                .columns(EVENTS.BUSINESS_KEY, EVENTS.PAYLOAD)
                .select(select(GIVEN.BUSINESS_KEY, GIVEN.PAYLOAD)
                        .from(PlainSql.deliveries(param("keys", keys), param("payloads", payloads), GIVEN.getName()))
                        .orderBy(GIVEN.BUSINESS_KEY.collate(collation(quotedName("C")))))
                .onConflict(EVENTS.BUSINESS_KEY)
                .doNothing()
                .returningResult(EVENTS.BUSINESS_KEY);
    }
}
