package dev.tributary.inbox;

import static dev.tributary.inbox.Events.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.InvalidArgument;
import dev.tributary.TributarySchema;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The lock table is the server's, so one of its own: room for 10 × (20 + 0) locks, and a little more. */
class LockTableTest {
    private static EmbeddedPostgres server;
    private static DataSource dataSource;

    @BeforeAll
    static void start() throws IOException {
        server = EmbeddedPostgres.builder()
                .setServerConfig("max_locks_per_transaction", "10")
                .setServerConfig("max_connections", "20")
                .start();
        dataSource = server.getPostgresDatabase();
        TributarySchema.migrate(dataSource);
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @BeforeEach
    void empty() {
        DSL.using(dataSource, SQLDialect.POSTGRES).execute("DELETE FROM tributary.events");
    }

    private static Inbox inbox() {
        return Inbox.on(dataSource).strategy(Strategy.ADVISORY_LOCKS);
    }

    private static int stored() {
        return DSL.using(dataSource, SQLDialect.POSTGRES).fetchCount(dev.tributary.db.Tables.EVENTS);
    }

    @Test
    void aBudgetOfMoreThanHalfTheTableIsRefusedAtTheFirstCall() throws SQLException {
        String[] words = {
            "500 advisory locks",
            "200 for all sessions",
            "max_locks_per_transaction 10",
            "max_connections 20",
            "max_prepared_transactions 0",
            "lockBudget(n)",
            "stripes(n)",
            "ORDERED_UPSERT"
        };
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(() -> inbox().ingest(events("a")))
                .satisfies(e -> assertThat(e.getMessage()).contains(words));
        try (Connection caller = dataSource.getConnection()) {
            caller.setAutoCommit(false);
            assertThatExceptionOfType(InvalidArgument.class)
                    .isThrownBy(() -> inbox().within(caller).ingest(events("a")))
                    .satisfies(e -> assertThat(e.getMessage()).contains(words));
            inbox().lockBudget(100).within(caller).ingest(events("a"));
            caller.commit();
        }
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(() -> inbox().lockBudget(101).ingest(events("b")));
        assertThat(inbox().lockBudget(100).ingest(events("k", 150)).accepted()).hasSize(150);
        assertThat(inbox().stripes(100).ingest(events("l", 1_000)).accepted()).hasSize(1_000);
        assertThat(Inbox.on(dataSource)
                        .strategy(Strategy.ORDERED_UPSERT)
                        .ingest(events("m", 1_000))
                        .accepted())
                .hasSize(1_000);
    }

    @Test
    void aTableThatAnotherSessionHasFilledIsAClearErrorAndTheNextTrySucceeds() throws SQLException {
        try (Connection other = dataSource.getConnection();
                Statement statement = other.createStatement()) {
            int all = fill(statement);
            // Room for what any transaction needs, and not for the locks of the batch.
            statement.execute("SELECT pg_advisory_unlock(n) FROM generate_series(1, 30) n");
            Inbox inbox = inbox().lockBudget(90);
            assertThatExceptionOfType(IngestFailed.class)
                    .isThrownBy(() -> inbox.ingest(events("a", 90)))
                    .withMessageContaining("the server's lock table is full")
                    .withMessageContaining("out of shared memory")
                    .withMessageContaining("lockBudget(n)")
                    .satisfies(e -> assertThat(e.committed().accepted()).isEmpty())
                    .havingCause()
                    .isInstanceOfSatisfying(
                            DataAccessException.class,
                            e -> assertThat(e.sqlState()).isEqualTo("53200"));
            try (Connection caller = dataSource.getConnection()) {
                caller.setAutoCommit(false);
                assertThatExceptionOfType(DataAccessException.class)
                        .isThrownBy(() -> inbox.within(caller).ingest(events("a", 90)))
                        .matches(e -> e.sqlState().equals("53200"));
                // Under its savepoint: the transaction goes on, with what there is room for.
                assertThat(inbox.within(caller).ingest(events("few", 5)).accepted())
                        .hasSize(5);
                caller.commit();
            }
            assertThat(stored()).isEqualTo(5);
            assertThat(inbox.stripes(4).ingest(events("b", 90)).accepted()).hasSize(90);
            statement.execute("SELECT pg_advisory_unlock_all()");
            assertThat(inbox.ingest(events("a", 90)).accepted()).hasSize(90);
            assertThat(all).isGreaterThan(90);
        }
    }

    /** @return how many locks it took until there was no room */
    private static int fill(Statement statement) throws SQLException {
        for (int taken = 0; ; taken++) {
            try {
                statement.execute("SELECT pg_advisory_lock(" + (taken + 1) + ")");
            } catch (SQLException e) {
                assertThat(e.getSQLState()).isEqualTo("53200");
                return taken;
            }
        }
    }
}
