package dev.tributary.internal;

import dev.tributary.NoTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.function.Function;
import org.jooq.ConnectionProvider;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DefaultConnectionProvider;
import org.postgresql.PGConnection;

/** Steps join the caller's transaction. It is never committed, rolled back or set up here. */
public final class CallerTransaction implements Steps {
    private final ConnectionProvider connections;
    private final Dialect dialect;

    public CallerTransaction(ConnectionProvider connections, Dialect dialect) {
        this.connections = connections;
        this.dialect = dialect;
    }

    @Override
    public <T> T run(Function<DSLContext, T> step) {
        return joined(connection -> step.apply(dialect.on(connection)));
    }

    @Override
    public <T> T runWhole(Function<DSLContext, T> step) {
        // Not jOOQ's nested transaction(): its outermost one commits, and jOOQ cannot know that the caller has begun
        // one.
        return joined(connection -> {
            Savepoint before = connection.setSavepoint();
            try {
                T result = step.apply(dialect.on(connection));
                connection.releaseSavepoint(before);
                return result;
            } catch (Throwable failure) {
                undo(connection, before, failure);
                throw failure;
            }
        });
    }

    private static void undo(Connection connection, Savepoint before, Throwable failure) {
        try {
            connection.rollback(before);
            connection.releaseSavepoint(before);
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    public <T> T together(Function<Steps, T> steps) {
        return steps.apply(this);
    }

    private interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    private <T> T joined(Work<T> work) {
        Connection connection = connections.acquire();
        if (connection == null) {
            throw new NoTransaction("within(DSLContext) needs a context on a JDBC connection; this one has none");
        }
        try {
            if (connection.getAutoCommit()) {
                throw new NoTransaction("the connection given to within(…) is in auto-commit mode: begin a transaction"
                        + " (setAutoCommit(false)), or use the queue without within(…) for transactions of its own");
            }
            requireTheSameAgain(connection);
            return work.on(connection);
        } catch (SQLException e) {
            throw new DataAccessException("tributary: " + e.getMessage(), e);
        } finally {
            connections.release(connection);
        }
    }

    /**
     * A context on a pool lends another connection each time and its pool rolls back what it gets back: nothing would be
     * kept, though everything was answered. In a transaction the same one comes again.
     */
    private void requireTheSameAgain(Connection connection) throws SQLException {
        if (connections instanceof DefaultConnectionProvider) {
            return;
        }
        Connection again = connections.acquire();
        try {
            if (again == null || backend(again) != backend(connection)) {
                throw new NoTransaction(
                        "the DSLContext given to within(…) has no transaction: it takes another connection for"
                                + " each statement. Give the context of the transaction, in jOOQ tx.dsl()");
            }
        } finally {
            if (again != null) {
                connections.release(again);
            }
        }
    }

    private static int backend(Connection connection) throws SQLException {
        return connection.unwrap(PGConnection.class).getBackendPID();
    }
}
