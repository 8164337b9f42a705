package dev.tributary;

import dev.tributary.internal.Dialect;
import dev.tributary.internal.sql.SearchPath;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;

/**
 * Runs each migration with nothing but the schema of the queue in the search path. Flyway leaves the path alone if its text
 * begins with the name of the schema: with schema {@code Queue}, {@code currentSchema=Queue} would pass, which to
 * PostgreSQL is {@code queue}, and the tables would be made elsewhere.
 */
record InSchema(String schema) implements Callback {
    @Override
    public boolean supports(Event event, Context context) {
        return event == Event.BEFORE_EACH_MIGRATE;
    }

    @Override
    public boolean canHandleInTransaction(Event event, Context context) {
        return true;
    }

    @Override
    public void handle(Event event, Context context) {
        new Dialect(schema).on(context.getConnection()).fetch(SearchPath.query(schema));
    }

    @Override
    public String getCallbackName() {
        return "search path";
    }
}
