package dev.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.tributary.support.Database;
import dev.tributary.support.Round;
import dev.tributary.support.Tables;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Migration over connections of all kinds, and over many at once. */
class SchemaConnectionsTest {
    private static final int NODES = 8;

    private final Database database = Database.empty();

    @AfterEach
    void drop() {
        database.close();
    }

    @RepeatedTest(5)
    void nodesThatStartTogetherAllFindTheTables() throws Exception {
        assertThatNodesStartTogether(database.dataSource());
    }

    @ParameterizedTest
    @ValueSource(strings = {"repeatable\\ read", "serializable"})
    void nodesThatStartTogetherAtAStricterIsolationAllFindTheTables(String isolation) throws Exception {
        var dataSource = database.dataSource();
        dataSource.setOptions("-c default_transaction_isolation=" + isolation);
        assertThatNodesStartTogether(dataSource);
    }

    @Test
    void connectionsOutsideAutoCommitWillDo() {
        DataSource dataSource = withoutAutoCommit(database.dataSource());
        TributarySchema.migrate(dataSource);
        TributarySchema.migrate(dataSource);
        assertThat(Tables.of(database.dataSource())).isEqualTo(Tables.ofLibraryIn("tributary"));
        Round.on(JobQueue.on(dataSource), "c1");
    }

    @Test
    void aPoolOfTwoConnectionsWillDo() throws SQLException {
        try (HikariDataSource pool = pool(2, database.dataSource())) {
            TributarySchema.migrate(pool);
            TributarySchema.migrate(pool);
            Round.on(JobQueue.on(pool), "c1");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void pooledConnectionsComeBackAsTheyWere(boolean autoCommit) throws SQLException {
        PGSimpleDataSource host = database.dataSource();
        host.setCurrentSchema("nowhere,public");
        host.setOptions("-c default_transaction_isolation=serializable");
        try (HikariDataSource pool = pool(4, host)) {
            pool.setAutoCommit(autoCommit);
            List<String> before = states(pool, 4);
            TributarySchema.migrate(pool);
            assertThat(states(pool, 4)).isEqualTo(before);
            Round.on(JobQueue.on(pool), "c1");
            assertThat(states(pool, 4)).isEqualTo(before);
        }
    }

    private void assertThatNodesStartTogether(DataSource dataSource) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(NODES);
        CyclicBarrier start = new CyclicBarrier(NODES);
        try {
            List<CompletableFuture<Void>> nodes = IntStream.range(0, NODES)
                    .mapToObj(node -> CompletableFuture.runAsync(
                            () -> {
                                try {
                                    start.await();
                                } catch (Exception e) {
                                    throw new IllegalStateException(e);
                                }
                                TributarySchema.migrate(dataSource);
                                assertThat(JobQueue.on(dataSource).find(1)).isEmpty();
                            },
                            threads))
                    .toList();
            for (CompletableFuture<Void> node : nodes) {
                node.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        List<String> history =
                database.sql(db -> db.fetch("SELECT version FROM tributary.tributary_schema_history WHERE type = 'SQL'")
                        .getValues(0, String.class));
        assertThat(history).startsWith("1").doesNotHaveDuplicates();
        Round.on(JobQueue.on(dataSource), "c1");
    }

    /** What a session could be left with, of each connection of the pool. */
    private static List<String> states(HikariDataSource pool, int connections) throws SQLException {
        List<Connection> taken = new ArrayList<>();
        try {
            for (int i = 0; i < connections; i++) {
                taken.add(pool.getConnection());
            }
            return taken.stream().map(SchemaConnectionsTest::state).sorted().toList();
        } finally {
            for (Connection connection : taken) {
                connection.close();
            }
        }
    }

    private static String state(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            String state = connection.getAutoCommit() + " " + connection.getTransactionIsolation() + " "
                    + connection.isReadOnly();
            for (String setting : List.of("search_path", "default_transaction_isolation", "lock_timeout")) {
                try (var value = statement.executeQuery("SHOW " + setting)) {
                    value.next();
                    state += " " + setting + "=" + value.getString(1);
                }
            }
            return state;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static HikariDataSource pool(int size, DataSource dataSource) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(dataSource);
        pool.setMaximumPoolSize(size);
        pool.setConnectionTimeout(5000);
        return pool;
    }

    private static DataSource withoutAutoCommit(DataSource inner) {
        return (DataSource) Proxy.newProxyInstance(
                SchemaConnectionsTest.class.getClassLoader(), new Class<?>[] {DataSource.class}, (p, method, args) -> {
                    try {
                        Object answer = method.invoke(inner, args);
                        if (answer instanceof Connection connection) {
                            connection.setAutoCommit(false);
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
