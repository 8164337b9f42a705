package dev.tributary;

import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import dev.tributary.support.Round;
import dev.tributary.support.Tables;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The tables of the library in the database of a host, which has tables and perhaps a Flyway of its own. */
class SchemaHostTest {
    private final Database database = Database.empty();
    private final DataSource dataSource = database.dataSource();

    @AfterEach
    void drop() {
        database.close();
    }

    @Test
    void aHostWithTablesKeepsThem() {
        database.execute("CREATE TABLE jobs (id bigint PRIMARY KEY)");
        database.execute("CREATE TABLE flyway_schema_history (anything text)");
        TributarySchema.migrate(dataSource);
        assertThat(Tables.of(dataSource))
                .startsWith("public.flyway_schema_history", "public.jobs")
                .endsWith(Tables.ofLibraryIn("tributary").toArray(String[]::new))
                .hasSize(2 + Tables.ofLibraryIn("tributary").size());
        Round.on(JobQueue.on(dataSource), "c1");
    }

    @Test
    void aSchemaWithTheHostsTablesInItIsRefusedAndLeftAsItIs() {
        database.execute("CREATE TABLE host_orders (id bigint PRIMARY KEY)");
        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(TributaryException.class)
                    .isThrownBy(() -> TributarySchema.migrate(dataSource, "public"))
                    .withMessageContaining("\"public\" holds tables of others");
        }
        assertThat(Tables.of(dataSource)).containsExactly("public.host_orders");
    }

    @Test
    void aRoleThatMayNotCreateSchemasNeedsOneThatExists() {
        String role = "tributary_role_" + System.nanoTime();
        database.execute("CREATE ROLE " + role);
        try {
            database.execute("CREATE SCHEMA tributary AUTHORIZATION " + role);
            var limited = database.dataSource();
            limited.setOptions("-c role=" + role);
            assertThat(DSL.using(limited, SQLDialect.POSTGRES)
                            .fetchValue("SELECT has_database_privilege(current_database(), 'CREATE')"))
                    .isEqualTo(false);
            TributarySchema.migrate(limited);
            Round.on(JobQueue.on(limited), "c1");
        } finally {
            database.execute("DROP OWNED BY " + role + " CASCADE");
            database.execute("DROP ROLE " + role);
        }
    }

    @Test
    void aSchemaThatTheHostHasMadeAndLeftEmptyIsTaken() {
        database.execute("CREATE SCHEMA tributary");
        TributarySchema.migrate(dataSource);
        Round.on(JobQueue.on(dataSource), "c1");
    }

    @Test
    void theHostsSearchPathMayBeAnything() {
        for (String searchPath : List.of("nowhere", "public", "pg_catalog", "tributary,public", "\"$user\"")) {
            var host = database.dataSource();
            host.setCurrentSchema(searchPath);
            TributarySchema.migrate(host);
            Round.on(JobQueue.on(host), "c1");
        }
        assertThat(Tables.of(dataSource)).isEqualTo(Tables.ofLibraryIn("tributary"));
    }

    /** The host's scripts are under db/migration on the class path, where Flyway looks by default. */
    @Nested
    class WithFlyway {
        private static final List<String> HOST =
                List.of("public.flyway_schema_history", "public.host_orders", "public.jobs");

        @Test
        void migratedBeforeTheLibrary() {
            Flyway host = host().load();
            host.migrate();
            String history = history();
            TributarySchema.migrate(dataSource);
            assertThat(history()).isEqualTo(history);
            assertThatBothAreThere(host);
        }

        @Test
        void migratedAfterTheLibrary() {
            TributarySchema.migrate(dataSource);
            Flyway host = host().load();
            assertThat(host.migrate().migrationsExecuted).isEqualTo(2);
            TributarySchema.migrate(dataSource);
            assertThatBothAreThere(host);
        }

        @Test
        void thatTakesAFullSchemaForItsBaseline() {
            database.execute("CREATE TABLE host_old (id bigint)");
            Flyway host = host().baselineOnMigrate(true).baselineVersion("0").load();
            TributarySchema.migrate(dataSource);
            host.migrate();
            database.execute("DROP TABLE host_old");
            TributarySchema.migrate(dataSource);
            assertThatBothAreThere(host);
        }

        @Test
        void thatManagesTheSchemaOfTheLibraryToo() {
            database.execute("CREATE SCHEMA tributary");
            Flyway host = host().schemas("public", "tributary").load();
            host.migrate();
            TributarySchema.migrate(dataSource);
            assertThatBothAreThere(host);
        }

        private void assertThatBothAreThere(Flyway host) {
            host.validate();
            assertThat(host.migrate().migrationsExecuted).isZero();
            assertThat(Tables.of(dataSource))
                    .isEqualTo(Stream.concat(HOST.stream(), Tables.ofLibraryIn("tributary").stream())
                            .toList());
            Round.on(JobQueue.on(dataSource), "c1");
        }

        private FluentConfiguration host() {
            return Flyway.configure().dataSource(dataSource);
        }

        private String history() {
            return DSL.using(dataSource, SQLDialect.POSTGRES)
                    .fetch("SELECT * FROM public.flyway_schema_history")
                    .toString();
        }
    }

    @Test
    void aHostsOwnEnqueueIsInItsTransactionWithItsTables() {
        database.execute("CREATE TABLE host_orders (id bigint PRIMARY KEY)");
        TributarySchema.migrate(dataSource);
        JobQueue queue = JobQueue.on(dataSource);
        DSL.using(dataSource, SQLDialect.POSTGRES).transaction(tx -> {
            tx.dsl().execute("INSERT INTO host_orders VALUES (1)");
            queue.within(tx.dsl()).enqueue(TYPE, Refresh.of("c1", "p1"));
        });
        assertThat(database.jobs()).hasSize(1);
        int orders = database.sql(db -> db.fetchCount(DSL.table("host_orders")));
        assertThat(orders).isEqualTo(1);
    }
}
