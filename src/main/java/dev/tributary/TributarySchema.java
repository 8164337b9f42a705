package dev.tributary;

import dev.tributary.internal.Arguments;
import dev.tributary.internal.Dialect;
import dev.tributary.internal.OwnTransactions;
import dev.tributary.internal.Text;
import dev.tributary.internal.sql.CreateSchema;
import dev.tributary.internal.sql.Encoding;
import java.util.Set;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.CoreErrorCode;
import org.flywaydb.core.api.FlywayException;
import org.jooq.Record2;
import org.jooq.exception.DataAccessException;

/**
 * The tables of the library: its own schema, migrated by its own Flyway history ({@code tributary_schema_history} in that
 * schema) from its own place in the jar ({@code db/tributary}). A host's tables, Flyway configuration and history are
 * neither read nor written.
 */
public final class TributarySchema {
    /** The schema that is used unless another is named: {@value}. */
    public static final String DEFAULT = "tributary";

    private static final String HISTORY = "tributary_schema_history";
    private static final String POSTGRESQL_MODULE = "org/flywaydb/database/postgresql/PostgreSQLDatabaseType.class";
    /** What CREATE SCHEMA raises if another node created it first: seen before, or while, it waited. */
    private static final Set<String> CREATED_MEANWHILE = Set.of("42P06", "23505");

    private TributarySchema() {}

    /** {@link #migrate(DataSource, String)} for the schema {@value #DEFAULT}. */
    public static void migrate(DataSource ds) {
        migrate(ds, DEFAULT);
    }

    /**
     * Creates the schema if it is missing, and applies the migrations that it lacks. Call it at start, before the queue is
     * used. Nodes that start together wait for each other; a node older than the schema leaves it as it is. The connection
     * needs the right to create tables in the schema, and to create the schema only if it does not exist.
     *
     * @param ds connections in any auto-commit mode and isolation level, of which it takes up to two at once; not behind a
     *     pooler in transaction mode
     * @param schema 1 to 63 bytes, case counts, anything but U+0000, lone surrogates, blank names, {@code $user} and
     *     names that begin with {@code pg_}
     * @throws InvalidArgument if an argument is null or the schema name is not usable
     * @throws TributaryException if the encoding of the database is not UTF8, if the schema holds tables but none of the
     *     library's, or if Flyway's PostgreSQL module is not on the class path
     * @throws FlywayException if a migration fails; each migration is a transaction
     */
    public static void migrate(DataSource ds, String schema) {
        Arguments.notNull("the DataSource", ds);
        Arguments.schema(schema);
        ClassLoader library = TributarySchema.class.getClassLoader();
        if (library.getResource(POSTGRESQL_MODULE) == null) {
            throw new TributaryException(
                    "Flyway cannot migrate PostgreSQL: org.flywaydb:flyway-database-postgresql is not on"
                            + " the class path; add it in the version of your flyway-core");
        }
        OwnTransactions transactions = new OwnTransactions(ds, new Dialect(schema));
        checkEncoding(transactions);
        create(transactions, schema);
        migrate(Flyway.configure(library)
                .dataSource(ds)
                .schemas(schema)
                .defaultSchema(schema)
                .createSchemas(false)
                .table(HISTORY)
                .locations("classpath:db/tributary")
                .placeholderReplacement(false)
                .baselineOnMigrate(false)
                .callbacks(new InSchema(schema))
                // A newer node may have migrated further: its migrations are unknown here, and no reason to refuse.
                .ignoreMigrationPatterns("*:future")
                .load());
    }

    /**
     * Flyway's lock does not keep nodes apart if the default isolation is stricter than READ COMMITTED: the one that waited
     * does not see what the other did, and fails. It looks again as long as somebody gets on.
     */
    private static void migrate(Flyway flyway) {
        int seen = 0;
        while (true) {
            try {
                flyway.migrate();
                return;
            } catch (FlywayException e) {
                int applied = flyway.info().applied().length;
                if (applied <= seen) {
                    throw e.getErrorCode() == CoreErrorCode.NON_EMPTY_SCHEMA_WITHOUT_SCHEMA_HISTORY_TABLE
                            ? new TributaryException(
                                    "the schema \"" + flyway.getConfiguration().getDefaultSchema()
                                            + "\" holds tables of others, give the queue one of its own",
                                    e)
                            : e;
                }
                seen = applied;
            }
        }
    }

    /** Elsewhere a payload would be an error in the middle of a transaction if it holds a character that has no place there. */
    private static void checkEncoding(OwnTransactions transactions) {
        Record2<String, String> database = transactions.run(tx -> tx.fetchSingle(Encoding.query()));
        if (!database.value2().equals("UTF8")) {
            throw new TributaryException("the database " + Text.quoted(database.value1()) + " has the encoding "
                    + database.value2() + ", and the queue needs UTF8, which holds every character of a payload:"
                    + " CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0 makes one");
        }
    }

    private static void create(OwnTransactions transactions, String schema) {
        if (transactions.run(tx -> tx.fetchExists(CreateSchema.exists(schema)))) {
            return;
        }
        try {
            transactions.run(tx -> tx.execute(CreateSchema.query(schema)));
        } catch (DataAccessException e) {
            if (!CREATED_MEANWHILE.contains(e.sqlState())) {
                throw e;
            }
        }
    }
}
