package dev.tributary.internal;

import dev.tributary.InvalidArgument;
import dev.tributary.NoTransaction;
import dev.tributary.internal.sql.LockTimeout;
import dev.tributary.internal.sql.PlainSql;
import dev.tributary.internal.sql.WrittenBy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Each step is a transaction at READ COMMITTED on a connection of its own, whatever the defaults of the connection are.
 * Deadlocks and serialization failures undo a step as a whole, so it is run again, a bounded number of times.
 */
public final class OwnTransactions implements Steps {
    private static final Logger LOG = LoggerFactory.getLogger(OwnTransactions.class);
    private static final Set<String> UNDONE = Set.of("40001", "40P01");
    private static final int RUNS = 5;
    private static final long LONGEST_PAUSE_MS = 50;

    private final DataSource dataSource;
    private final Dialect dialect;
    private final Optional<Duration> lockTimeout;

    public OwnTransactions(DataSource dataSource, Dialect dialect) {
        this(dataSource, dialect, Optional.empty());
    }

    private OwnTransactions(DataSource dataSource, Dialect dialect, Optional<Duration> lockTimeout) {
        this.dataSource = dataSource;
        this.dialect = dialect;
        this.lockTimeout = lockTimeout;
    }

    /** @throws InvalidArgument if the steps are those of a caller's transaction */
    public static OwnTransactions of(Steps steps) {
        if (steps instanceof OwnTransactions own) {
            return own;
        }
        throw new InvalidArgument(
                "this needs a queue with transactions of its own (JobQueue.on), not one within(…) the caller's");
    }

    public OwnTransactions withLockTimeout(Duration longest) {
        return new OwnTransactions(dataSource, dialect, Optional.of(longest));
    }

    public DataSource dataSource() {
        return dataSource;
    }

    @Override
    public <T> T run(Function<DSLContext, T> step) {
        for (int run = 1; ; run++) {
            try {
                return once(step);
            } catch (DataAccessException e) {
                if (run == RUNS || !UNDONE.contains(e.sqlState())) {
                    throw e;
                }
                LOG.debug("run {} of {} undone by the database ({}): running it again", run, RUNS, e.sqlState());
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(
                        ThreadLocalRandom.current().nextLong(1, LONGEST_PAUSE_MS)));
            }
        }
    }

    @Override
    public <T> T runWhole(Function<DSLContext, T> step) {
        return run(step);
    }

    @Override
    public <T> T together(Function<Steps, T> steps) {
        return run(tx -> steps.apply(new CallerTransaction(tx.configuration().connectionProvider(), dialect)));
    }

    private <T> T once(Function<DSLContext, T> step) {
        Connection connection = null;
        try {
            connection = connect();
            boolean autoCommit = connection.getAutoCommit();
            if (autoCommit) {
                connection.setAutoCommit(false);
            } else {
                endWhatThePoolBegan(connection);
            }
            try {
                return committed(connection, step);
            } finally {
                if (autoCommit) {
                    afterwards(connection, "restoring the auto-commit mode", c -> c.setAutoCommit(true));
                }
            }
        } catch (SQLException e) {
            throw new DataAccessException("tributary: " + e.getMessage(), e);
        } finally {
            if (connection != null) {
                afterwards(connection, "closing", Connection::close);
            }
        }
    }

    private Connection connect() throws SQLException {
        Connection connection;
        try {
            connection = dataSource.getConnection();
        } catch (RuntimeException e) {
            // Some pools say so that they have none.
            throw new SQLException("the DataSource gives no connection: " + e.getMessage(), e);
        }
        if (connection == null) {
            throw new SQLException("the DataSource returned null for a connection");
        }
        return connection;
    }

    /**
     * A pool without auto-commit may hand out a connection on which its own test query has begun a transaction, and its isolation
     * can no longer be set. One that has written is somebody's work, neither to be committed here nor to be undone.
     */
    private void endWhatThePoolBegan(Connection connection) throws SQLException {
        if (state(connection) == TransactionState.IDLE) {
            return;
        }
        if (dialect.on(connection).fetchSingle(WrittenBy.thisTransaction()).value1()) {
            throw new NoTransaction(
                    "the DataSource gave a connection in whose transaction somebody has already written:"
                            + " use within(…) to take part in a transaction");
        }
        connection.rollback();
    }

    /** Of a connection of another driver's, idle. */
    private static TransactionState state(Connection connection) throws SQLException {
        return connection.isWrapperFor(BaseConnection.class)
                ? connection.unwrap(BaseConnection.class).getTransactionState()
                : TransactionState.IDLE;
    }

    private interface Last {
        void with(Connection connection) throws SQLException;
    }

    /** The outcome stands by then; a connection that fails now is broken, and its pool will see that. */
    private static void afterwards(Connection connection, String doing, Last last) {
        try {
            last.with(connection);
        } catch (SQLException e) {
            LOG.debug("{} a connection failed", doing, e);
        }
    }

    private <T> T committed(Connection connection, Function<DSLContext, T> step) throws SQLException {
        try {
            DSLContext tx = dialect.on(connection);
            tx.execute(PlainSql.readCommitted());
            lockTimeout.ifPresent(longest -> tx.fetch(LockTimeout.query(longest)));
            T result = step.apply(tx);
            // The step had code of others in it, which swallowed an error. The server answers this COMMIT with a
            // rollback,
            // and the driver does not tell.
            if (state(connection) == TransactionState.FAILED) {
                throw new SQLException(
                        "an error in the transaction was swallowed, and nothing of it can be kept", "25P02");
            }
            connection.commit();
            return result;
        } catch (Throwable failure) {
            try {
                connection.rollback();
            } catch (SQLException e) {
                failure.addSuppressed(e);
            }
            throw failure;
        }
    }
}
