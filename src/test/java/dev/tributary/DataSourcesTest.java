package dev.tributary;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.tributary.support.Database;
import dev.tributary.support.OneConnection;
import dev.tributary.support.Refresh;
import dev.tributary.support.Round;
import dev.tributary.support.Soak;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.PreferQueryMode;

/** Every verb many times on one connection, whatever the host has set on it. */
@Tag("soak")
class DataSourcesTest {
    /** pgjdbc prepares on the server from the 5th execution on, and the server turns to a generic plan at the 10th. */
    private static final int ROUNDS = Soak.rounds(6, 13);

    @RegisterExtension
    static final Database database = Database.migrated();

    private record Variant(String name, Consumer<PGSimpleDataSource> settings) {
        PGSimpleDataSource dataSource() {
            PGSimpleDataSource dataSource = database.dataSource();
            settings.accept(dataSource);
            return dataSource;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Variant> variants() {
        return Stream.of(
                new Variant("as it comes", ds -> {}),
                new Variant("prepareThreshold=0", ds -> ds.setPrepareThreshold(0)),
                new Variant("prepareThreshold=1", ds -> ds.setPrepareThreshold(1)),
                new Variant("prepareThreshold=-1", ds -> ds.setPrepareThreshold(-1)),
                new Variant("reWriteBatchedInserts", ds -> ds.setReWriteBatchedInserts(true)),
                new Variant("search path to nowhere", ds -> ds.setCurrentSchema("nowhere")),
                new Variant("binaryTransfer off", ds -> ds.setBinaryTransfer(false)),
                new Variant("stringtype=unspecified", ds -> ds.setStringType("unspecified")),
                new Variant("autosave", ds -> ds.setAutosave(org.postgresql.jdbc.AutoSave.ALWAYS)),
                option("default_transaction_isolation=serializable"),
                option("default_transaction_isolation=repeatable\\ read"),
                option("plan_cache_mode=force_generic_plan"),
                option("statement_timeout=5s"),
                option("lock_timeout=5s"),
                option("standard_conforming_strings=off"),
                option("IntervalStyle=sql_standard"),
                option("DateStyle=German"),
                option("TimeZone=Asia/Kolkata"),
                option("enable_hashjoin=off"));
    }

    private static Variant option(String option) {
        return new Variant(option, ds -> ds.setOptions("-c " + option));
    }

    @ParameterizedTest
    @MethodSource("variants")
    void worksOverAndOverOnOneConnection(Variant variant) throws SQLException {
        try (OneConnection connection = new OneConnection(variant.dataSource(), true)) {
            rounds(database, JobQueue.on(connection.dataSource()), connection.connection());
        }
    }

    @ParameterizedTest
    @MethodSource("variants")
    void worksOverAndOverOnOneConnectionWithoutAutoCommit(Variant variant) throws SQLException {
        try (OneConnection connection = new OneConnection(variant.dataSource(), false)) {
            rounds(database, JobQueue.on(connection.dataSource()), connection.connection());
        }
    }

    @ParameterizedTest
    @EnumSource(PreferQueryMode.class)
    void worksInEveryQueryModeOfTheDriver(PreferQueryMode mode) throws SQLException {
        PGSimpleDataSource dataSource = database.dataSource();
        dataSource.setPreferQueryMode(mode);
        try (OneConnection connection = new OneConnection(dataSource, true)) {
            rounds(database, JobQueue.on(connection.dataSource()), connection.connection());
        }
    }

    @ParameterizedTest
    @EnumSource(PreferQueryMode.class)
    void takesBackslashesAndQuotesAsTheyAreWhereLiteralsHaveEscapes(PreferQueryMode mode) {
        PGSimpleDataSource dataSource = database.dataSource();
        dataSource.setOptions("-c standard_conforming_strings=off");
        dataSource.setPreferQueryMode(mode);
        JobQueue queue = JobQueue.on(dataSource);
        String nasty = "\\' \\\\ '' \\\" \\n \\x41 '; --";
        JobType<Refresh> type = JobType.named(nasty, Refresh.class)
                .onePendingPer(Refresh::catalogId)
                .merging(Merge.union("productIds"))
                .backoff(Backoff.none())
                .build();
        queue.enqueue(type, Refresh.of(nasty, nasty));
        ReservedJob<Refresh> refused = queue.reserve(type, 1, LEASE).get(0);
        long id =
                queue.enqueueAll(type, List.of(Refresh.of(nasty, "p1"))).get(0).jobId();
        assertThat(queue.requeue(refused, nasty)).isEqualTo(new Requeued.MergedInto(refused.id(), id));
        ReservedJob<Refresh> job = queue.reserve(type, 1, LEASE).get(0);
        assertThat(job.payload()).isEqualTo(Refresh.of(nasty, nasty, "p1"));
        assertThat(queue.complete(job, nasty)).isEqualTo(Settled.DONE);
        assertThat(database.job(id).getMergeKey()).isEqualTo(nasty);
        assertThat(database.job(id).getLastError()).isEqualTo(nasty);
        assertThat(database.job(id).getResult()).isEqualTo(JsonCodec.written("the result", nasty));
    }

    @ParameterizedTest
    @MethodSource("variants")
    void worksOverAndOverInOneTransactionOfTheCaller(Variant variant) throws SQLException {
        try (Connection caller = variant.dataSource().getConnection()) {
            caller.setAutoCommit(false);
            JobQueue queue = JobQueue.on(database.dataSource()).within(caller);
            for (int i = 0; i < ROUNDS; i++) {
                Round.on(queue, "c" + i);
            }
            assertThat(database.jobs()).isEmpty();
            caller.commit();
            assertThat(database.jobs(JobStatus.COMPLETED)).hasSize(3 * ROUNDS);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void worksWithAPoolOfOneConnection(boolean autoCommit) throws SQLException {
        try (HikariDataSource pool = new HikariDataSource()) {
            PGSimpleDataSource serializable = database.dataSource();
            serializable.setOptions("-c default_transaction_isolation=serializable");
            pool.setDataSource(serializable);
            pool.setMaximumPoolSize(1);
            pool.setConnectionTimeout(5000);
            pool.setAutoCommit(autoCommit);
            List<String> before = state(pool);
            for (int i = 0; i < ROUNDS; i++) {
                Round.on(JobQueue.on(pool), "c" + i);
                assertThat(state(pool)).isEqualTo(before);
            }
        }
    }

    /** With LIMIT in an IN-subquery, these plans take more rows than asked for. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "enable_hashjoin=off -c enable_mergejoin=off",
                "enable_hashjoin=off -c enable_mergejoin=off -c enable_material=off -c enable_memoize=off",
                "enable_nestloop=off",
                "enable_nestloop=off -c enable_hashjoin=off",
                "enable_indexscan=off -c enable_bitmapscan=off -c enable_hashjoin=off -c enable_hashagg=off",
                "enable_seqscan=off -c enable_sort=off",
                "plan_cache_mode=force_generic_plan -c enable_hashjoin=off -c enable_mergejoin=off"
            })
    void noPlanTakesMoreThanTheLimit(String planner) {
        IntStream.range(0, 5).forEach(i -> database.queue().enqueue(TYPE, Refresh.of("c" + i)));
        database.execute("ANALYZE tributary.jobs");
        var dataSource = database.dataSource();
        dataSource.setOptions("-c " + planner);
        JobQueue planned = JobQueue.on(dataSource);
        assertThat(planned.reserve(TYPE, 1, LEASE)).hasSize(1);
        assertThat(planned.reserve(TYPE, 3, LEASE)).hasSize(3);
        assertThat(database.jobs(JobStatus.RUNNING)).hasSize(4);
        database.expireLeases();
        assertThat(planned.rescue(TYPE, 1).jobs()).hasSize(1);
        assertThat(planned.rescue(TYPE, 2).jobs()).hasSize(2);
        assertThat(database.jobs(JobStatus.PENDING)).hasSize(4);
    }

    static void rounds(Database database, JobQueue queue, Connection connection) throws SQLException {
        List<String> before = state(connection);
        for (int i = 0; i < ROUNDS; i++) {
            Round.on(queue, "c" + i);
            assertThat(state(connection)).isEqualTo(before);
        }
        assertThat(database.jobs(JobStatus.COMPLETED)).hasSize(3 * ROUNDS);
    }

    private static List<String> state(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return state(connection);
        }
    }

    /** How a host finds its connection. */
    private static List<String> state(Connection connection) throws SQLException {
        List<String> state = new ArrayList<>(List.of(
                "autocommit " + connection.getAutoCommit(), "isolation " + connection.getTransactionIsolation()));
        try (Statement statement = connection.createStatement();
                ResultSet settings = statement.executeQuery("SELECT name || ' ' || setting FROM pg_catalog.pg_settings"
                        + " WHERE name IN ('search_path', 'default_transaction_isolation', 'TimeZone')")) {
            while (settings.next()) {
                state.add(settings.getString(1));
            }
        }
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
        return state;
    }
}
