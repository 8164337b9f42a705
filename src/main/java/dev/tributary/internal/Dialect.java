package dev.tributary.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.SQLDialect;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.Settings;
import org.jooq.conf.SettingsTools;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;

/** How statements are rendered for a schema. The settings are the library's own: a host's never change its SQL. */
public final class Dialect {
    /** The schema that the tables were generated from. */
    public static final String GENERATED_SCHEMA = dev.tributary.db.Tributary.TRIBUTARY.getName();

    /** undefined_table and invalid_schema_name. */
    private static final Set<String> MISSING = Set.of("42P01", "3F000");

    private final String schema;
    private final Settings settings;

    public Dialect(String schema) {
        this.schema = schema;
        settings = new Settings()
                .withAttachRecords(false)
                .withRenderMapping(new RenderMapping()
                        .withSchemata(
                                new MappedSchema().withInput(GENERATED_SCHEMA).withOutput(schema)));
    }

    public DSLContext on(Connection connection) {
        return DSL.using(new DefaultConfiguration()
                .set(connection)
                .set(SQLDialect.POSTGRES)
                .set(settings)
                .set(ExecuteListener.onException(this::nameTheMigration)));
    }

    private void nameTheMigration(ExecuteContext failed) {
        SQLException cause = failed.sqlException();
        if (cause != null && MISSING.contains(cause.getSQLState())) {
            failed.exception(new DataAccessException(
                    "tributary: if the schema \"" + schema
                            + "\" was never migrated, TributarySchema.migrate(dataSource, \"" + schema
                            + "\") makes its tables; " + cause.getMessage(),
                    cause));
        }
    }

    /**
     * The context of a step for code of others, that is to be in its transaction and not to end it: jOOQ cannot know that one has
     * begun, and would commit it at the end of a nested one.
     */
    public static DSLContext lent(DSLContext tx) {
        return DSL.using(new DefaultConfiguration()
                .set(tx.configuration().connectionProvider())
                .set(SQLDialect.POSTGRES)
                .set(SettingsTools.clone(tx.settings()).withAttachRecords(true))
                .set(new Savepoints()));
    }
}
