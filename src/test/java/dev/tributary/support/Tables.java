package dev.tributary.support;

import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Which tables a database has. */
public final class Tables {
    private Tables() {}

    /** Of all schemas but PostgreSQL's own, as schema.table, in order. */
    public static List<String> of(DataSource dataSource) {
        return DSL
                .using(dataSource, SQLDialect.POSTGRES)
                .fetch("SELECT schemaname || '.' || tablename FROM pg_catalog.pg_tables"
                        + " WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
                        + " ORDER BY 1")
                .getValues(0, String.class)
                .stream()
                .sorted()
                .toList();
    }

    /** The tables of the library, as {@link #of} would name them. */
    public static List<String> ofLibraryIn(String schema) {
        return Stream.of("batch_cursors", "batch_set_aside", "events", "jobs", "tributary_schema_history")
                .map(table -> schema + "." + table)
                .toList();
    }
}
