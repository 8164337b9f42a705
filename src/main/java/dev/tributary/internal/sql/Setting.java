package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;

import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/** Settings of the server as the session sees them. */
final class Setting {
    private Setting() {}

    static Field<String> named(String setting) {
        return function(name("current_setting"), SQLDataType.VARCHAR, inline(setting));
    }

    /** NULL if nobody has set it, empty if somebody had in an earlier transaction. */
    static Field<String> ifSet(String setting) {
        return function(name("current_setting"), SQLDataType.VARCHAR, inline(setting), inline(true));
    }

    /** Sets it until the transaction ends, or until it goes back to a savepoint before. */
    static Field<String> untilTheEnd(String setting, Field<String> value) {
        return function(name("set_config"), SQLDataType.VARCHAR, inline(setting), value, inline(true));
    }
}
