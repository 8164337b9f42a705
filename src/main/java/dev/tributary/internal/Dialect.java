package dev.tributary.internal;

import java.sql.Connection;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.Settings;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;

/** How statements are rendered for a schema. The settings are the library's own: a host's never change its SQL. */
public final class Dialect {
    /** The schema that the tables were generated from. */
    public static final String GENERATED_SCHEMA = dev.tributary.db.Tributary.TRIBUTARY.getName();

    private final Settings settings;

    public Dialect(String schema) {
        settings = new Settings()
                .withAttachRecords(false)
                .withRenderMapping(new RenderMapping()
                        .withSchemata(
                                new MappedSchema().withInput(GENERATED_SCHEMA).withOutput(schema)));
    }

    public DSLContext on(Connection connection) {
        return DSL.using(connection, SQLDialect.POSTGRES, settings);
    }

    /** Whether a unique index refused a row. */
    static boolean isTaken(DataAccessException e) {
        return "23505".equals(e.sqlState());
    }
}
