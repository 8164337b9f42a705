package dev.tributary;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.support.Database;
import dev.tributary.support.OneConnection;
import dev.tributary.support.Refresh;
import dev.tributary.support.Refusal;
import dev.tributary.support.Round;
import dev.tributary.support.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.SQLDialect;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.MappedTable;
import org.jooq.conf.ParamType;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.RenderNameCase;
import org.jooq.conf.RenderQuotedNames;
import org.jooq.conf.Settings;
import org.jooq.conf.StatementType;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose transaction a statement runs in, and what becomes of it. */
class TransactionsTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();

    @Nested
    class TheCallers {
        static Stream<Settings> settings() {
            return Stream.of(
                    new Settings().withRenderSchema(false),
                    new Settings().withRenderCatalog(false).withRenderNameCase(RenderNameCase.UPPER),
                    new Settings()
                            .withRenderNameCase(RenderNameCase.LOWER)
                            .withRenderQuotedNames(RenderQuotedNames.NEVER),
                    new Settings()
                            .withRenderMapping(new RenderMapping()
                                    .withDefaultSchema("tributary")
                                    .withSchemata(new MappedSchema()
                                            .withInput("tributary")
                                            .withOutput("elsewhere")
                                            .withTables(new MappedTable()
                                                    .withInput("jobs")
                                                    .withOutput("my_jobs")))),
                    new Settings().withStatementType(StatementType.STATIC_STATEMENT),
                    new Settings().withParamType(ParamType.INLINED),
                    new Settings().withQueryTimeout(1).withMaxRows(1).withFetchSize(1),
                    new Settings().withExecuteLogging(true).withReturnAllOnUpdatableRecord(true),
                    new Settings().withBackslashEscaping(org.jooq.conf.BackslashEscaping.ON));
        }

        @ParameterizedTest
        @MethodSource("settings")
        void settingsDoNotReachTheQueue(Settings settings) {
            try (Session session = database.session()) {
                Round.on(queue.within(DSL.using(session.connection(), SQLDialect.POSTGRES, settings)), "c1");
                session.commits();
            }
            assertThat(database.jobs(JobStatus.COMPLETED)).hasSize(3);
        }

        @Test
        void dialectAndListenersDoNotReachTheQueue() {
            try (Session session = database.session()) {
                DSLContext host = DSL.using(new DefaultConfiguration()
                        .set(session.connection())
                        .set(SQLDialect.DEFAULT)
                        .set(ExecuteListener.onRenderStart(TransactionsTest::refuse))
                        .set(ExecuteListener.onExecuteStart(TransactionsTest::refuse)));
                assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> host.execute("SELECT 1"));
                Round.on(queue.within(host), "c1");
                session.commits();
            }
            assertThat(database.jobs(JobStatus.COMPLETED)).hasSize(3);
        }

        @Test
        void ofJooqIsJoined() {
            DSLContext host = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
            host.transaction(tx -> Round.on(queue.within(tx.dsl()), "c1"));
            assertThat(database.jobs(JobStatus.COMPLETED)).hasSize(3);
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> host.transaction(tx -> {
                        queue.within(tx.dsl()).enqueue(TYPE, Refresh.of("c1"));
                        throw new IllegalStateException("rolled back");
                    }));
            assertThat(database.jobs(JobStatus.PENDING)).isEmpty();
        }

        @Test
        void isMissingInAutoCommitMode() throws SQLException {
            try (Connection connection = database.connect()) {
                String message = "auto-commit";
                assertRefused(queue.within(connection), message);
                assertRefused(queue.within(DSL.using(connection, SQLDialect.POSTGRES)), message);
                assertThat(connection.getAutoCommit()).isTrue();
                assertRefused(queue.within(DSL.using(database.dataSource(), SQLDialect.POSTGRES)), message);
            }
            assertThat(database.jobs()).isEmpty();
        }

        @Test
        void isMissingWithoutAConnection() {
            assertRefused(queue.within(DSL.using(SQLDialect.POSTGRES)), "none");
        }

        private void assertRefused(JobQueue within, String message) {
            Stream.<Function<JobQueue, ?>>of(
                            q -> q.enqueue(TYPE, Refresh.of("c1")),
                            q -> q.enqueueAll(TYPE, List.of(Refresh.of("c1"))),
                            q -> q.reserve(TYPE, 1, LEASE),
                            q -> q.rescue(TYPE, 1),
                            q -> q.retry(TYPE, 1),
                            q -> q.find(1))
                    .forEach(verb -> assertThatExceptionOfType(NoTransaction.class)
                            .isThrownBy(() -> verb.apply(within))
                            .withMessageContaining("within(")
                            .withMessageContaining(message));
        }
    }

    @Nested
    class OfItsOwn {
        @AfterEach
        void dropTrigger() {
            database.execute("DROP FUNCTION IF EXISTS undo() CASCADE");
            database.execute("DROP SEQUENCE IF EXISTS undone");
        }

        /** A sequence counts on although the transactions in which it was asked are rolled back. */
        private void undoTheFirst(int times, String sqlState) {
            database.execute("CREATE SEQUENCE undone");
            database.execute("CREATE FUNCTION undo() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                    + " IF nextval('public.undone') <= " + times + " THEN"
                    + "   RAISE EXCEPTION 'undone' USING ERRCODE = '" + sqlState + "'; END IF;"
                    + " RETURN new; END $$");
            database.execute("CREATE TRIGGER undo BEFORE INSERT OR UPDATE ON tributary.jobs"
                    + " FOR EACH ROW EXECUTE FUNCTION undo()");
        }

        private long runs() {
            return database.sql(
                    db -> db.fetchSingle("SELECT last_value FROM undone").get(0, Long.class));
        }

        @ParameterizedTest
        @ValueSource(strings = {"repeatable\\ read", "serializable"})
        void areAtReadCommittedWhateverTheDefaultIs(String isolation) {
            database.execute("CREATE FUNCTION undo() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                    + " new.last_error := current_setting('transaction_isolation'); RETURN new; END $$");
            database.execute(
                    "CREATE TRIGGER undo BEFORE INSERT ON tributary.jobs" + " FOR EACH ROW EXECUTE FUNCTION undo()");
            var dataSource = database.dataSource();
            dataSource.setOptions("-c default_transaction_isolation=" + isolation);
            long id = JobQueue.on(dataSource).enqueue(TYPE, Refresh.of("c1")).jobId();
            assertThat(database.job(id).getLastError()).isEqualTo("read committed");
        }

        @ParameterizedTest
        @ValueSource(strings = {"40001", "40P01"})
        void areRunAgainAfterTheDatabaseUndidThem(String sqlState) {
            undoTheFirst(4, sqlState);
            assertThat(queue.enqueue(TYPE, Refresh.of("c1"))).isInstanceOf(Enqueued.Inserted.class);
            assertThat(runs()).isEqualTo(5);
            assertThat(database.jobs()).hasSize(1);
        }

        @ParameterizedTest
        @ValueSource(strings = {"40001", "40P01"})
        void areGivenUpAfterFiveRuns(String sqlState) throws SQLException {
            undoTheFirst(1000, sqlState);
            try (OneConnection connection = new OneConnection(database.dataSource(), true)) {
                JobQueue own = JobQueue.on(connection.dataSource());
                assertThatExceptionOfType(DataAccessException.class)
                        .isThrownBy(() -> own.enqueue(TYPE, Refresh.of("c1")))
                        .satisfies(e -> assertThat(e.sqlState()).isEqualTo(sqlState));
                assertThat(connection.connection().getAutoCommit()).isTrue();
            }
            assertThat(runs()).isEqualTo(5);
            assertThat(database.jobs()).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(strings = {"40002", "55P03", "57014", "23514", "P0001"})
        void areNotRunAgainAfterOtherErrors(String sqlState) {
            undoTheFirst(1, sqlState);
            assertThatExceptionOfType(DataAccessException.class)
                    .isThrownBy(() -> queue.enqueue(TYPE, Refresh.of("c1")))
                    .satisfies(e -> assertThat(e.sqlState()).isEqualTo(sqlState));
            assertThat(runs()).isEqualTo(1);
        }

        @ParameterizedTest
        @ValueSource(strings = {"40001", "40P01"})
        void areNoConcernOfACallersWhichPassesTheErrorOn(String sqlState) {
            undoTheFirst(1, sqlState);
            try (Session session = database.session()) {
                assertThatExceptionOfType(DataAccessException.class)
                        .isThrownBy(() -> session.does(q -> q.enqueue(TYPE, Refresh.of("c1"))))
                        .satisfies(e -> assertThat(e.sqlState()).isEqualTo(sqlState));
                session.rollsBack();
                session.does(q -> q.enqueue(TYPE, Refresh.of("c1")));
                session.commits();
            }
            assertThat(runs()).isEqualTo(2);
        }
    }

    @Test
    void nothingIsSentForNothing() {
        assertThat(Refusal.queueWithoutConnections().enqueueAll(TYPE, List.of()))
                .isEmpty();
    }

    private static void refuse(ExecuteContext context) {
        throw new IllegalStateException("a listener of the host");
    }
}
