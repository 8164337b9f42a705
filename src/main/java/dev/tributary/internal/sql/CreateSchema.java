package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.createSchema;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.table;

import org.jooq.Record1;
import org.jooq.RowCountQuery;
import org.jooq.Select;
import org.jooq.impl.SQLDataType;

/** Creates the schema of the queue. */
public final class CreateSchema {
    private CreateSchema() {}

    public static RowCountQuery query(String schema) {
        return createSchema(name(schema));
    }

    /** A row if it exists. Asked first: CREATE SCHEMA IF NOT EXISTS wants the right to create one even if it does. */
    public static Select<Record1<Integer>> exists(String schema) {
        return selectOne()
                .from(table(name("pg_catalog", "pg_namespace")))
                .where(field(name("nspname"), SQLDataType.VARCHAR).eq(param("schema", schema)));
    }
}
