package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import org.jooq.Record1;
import org.jooq.Select;
import org.jooq.impl.SQLDataType;

/** Makes unqualified names mean those of one schema, until the transaction ends. */
public final class SearchPath {
    private SearchPath() {}

    public static Select<Record1<String>> query(String schema) {
        return select(Setting.untilTheEnd(
                "search_path", function(name("quote_ident"), SQLDataType.VARCHAR, param("schema", schema))));
    }
}
