package dev.tributary.internal;

import dev.tributary.internal.sql.PlainSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
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

    public OwnTransactions(DataSource dataSource, Dialect dialect) {
        this.dataSource = dataSource;
        this.dialect = dialect;
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
    public <T> Optional<T> runUnlessTaken(Function<DSLContext, T> step) {
        try {
            return Optional.of(run(step));
        } catch (DataAccessException e) {
            if (Dialect.isTaken(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private <T> T once(Function<DSLContext, T> step) {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            if (!autoCommit) {
                return committed(connection, step);
            }
            connection.setAutoCommit(false);
            try {
                return committed(connection, step);
            } finally {
                restoreAutoCommit(connection);
            }
        } catch (SQLException e) {
            throw new DataAccessException("tributary: " + e.getMessage(), e);
        }
    }

    private static void restoreAutoCommit(Connection connection) {
        try {
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            // The outcome stands; a connection that cannot do this is broken, and its pool will see that.
            LOG.debug("auto-commit mode not restored", e);
        }
    }

    private <T> T committed(Connection connection, Function<DSLContext, T> step) throws SQLException {
        try {
            DSLContext tx = dialect.on(connection);
            tx.execute(PlainSql.readCommitted());
            T result = step.apply(tx);
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
