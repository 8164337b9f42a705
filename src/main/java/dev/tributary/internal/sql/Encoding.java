package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.currentCatalog;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;

import org.jooq.Record2;
import org.jooq.Select;
import org.jooq.impl.SQLDataType;

/** What the characters of the database are stored as. */
public final class Encoding {
    private Encoding() {}

    /** @return the name of the database and that of its encoding, as PostgreSQL calls it */
    public static Select<Record2<String, String>> query() {
        return select(currentCatalog(), function(name("getdatabaseencoding"), SQLDataType.VARCHAR));
    }
}
