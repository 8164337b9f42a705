package dev.tributary.support;

import dev.tributary.JobQueue;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.postgresql.PGConnection;

/**
 * One connection with an open transaction and a thread of its own, so that it can wait for a lock while the test goes on.
 * The gate is {@link #awaitBlocked}: it opens when the server says that this session waits for another.
 */
public final class Session implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Database database;
    private final Connection connection;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();

    Session(Database database) {
        this.database = database;
        this.connection = database.connect();
        try {
            connection.setAutoCommit(false);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    public Connection connection() {
        return connection;
    }

    /** Does something in the session's transaction and waits for the end of it. */
    public <T> T does(Function<JobQueue, T> work) {
        return result(begins(work));
    }

    /** Begins something that is expected to wait. */
    public <T> CompletableFuture<T> begins(Function<JobQueue, T> work) {
        return begins(() -> work.apply(JobQueue.on(database.dataSource()).within(connection)));
    }

    /** As {@link #does(Function)}, with the connection alone. */
    public <T> T doesOn(Function<Connection, T> work) {
        return result(beginsOn(work));
    }

    /** As {@link #begins(Function)}, with the connection alone. */
    public <T> CompletableFuture<T> beginsOn(Function<Connection, T> work) {
        return begins(() -> work.apply(connection));
    }

    private <T> CompletableFuture<T> begins(Callable<T> work) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return work.call();
                    } catch (RuntimeException e) {
                        throw e;
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                thread);
    }

    public void executes(String sql) {
        result(begins(() -> {
            try (var statement = connection.createStatement()) {
                return statement.execute(sql);
            }
        }));
    }

    public void commits() {
        result(begins(() -> {
            connection.commit();
            return true;
        }));
    }

    public void rollsBack() {
        result(begins(() -> {
            connection.rollback();
            return true;
        }));
    }

    /** Returns once this session waits for a lock that the other one holds. */
    public void awaitBlockedBy(Session other) {
        awaitBlocked(pid(), other.pid());
    }

    /** Returns once any session of the database waits for a lock that this one holds. */
    public void awaitBlocking() {
        await(
                "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND ? = ANY(pg_blocking_pids(pid))",
                pid());
    }

    /** Returns once any session of the database waits for a lock. */
    public void awaitAnyBlocked() {
        await("SELECT 1 FROM pg_stat_activity WHERE datname = current_database()"
                + " AND cardinality(pg_blocking_pids(pid)) > 0");
    }

    /** Returns once this session waits for a lock that anybody of the database holds. */
    public void awaitBlocked() {
        await(
                "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid = ANY(pg_blocking_pids(?))",
                pid());
    }

    private void awaitBlocked(int waiting, int holding) {
        await("SELECT 1 WHERE ? = ANY(pg_blocking_pids(?))", holding, waiting);
    }

    private void await(String question, Object... pids) {
        database.sql(db -> {
            Await.until(() -> db.fetch(question, pids).isNotEmpty(), () -> "nobody waits");
            return true;
        });
    }

    /** Of its backend. */
    public int pid() {
        try {
            return connection.unwrap(PGConnection.class).getBackendPID();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The result of what was begun; what it threw is thrown as it was. */
    public static <T> T result(CompletableFuture<T> begun) {
        try {
            return begun.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof TimeoutException) {
                throw new AssertionError("still waiting after " + PATIENCE, e);
            }
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } finally {
            thread.shutdownNow();
        }
    }
}
