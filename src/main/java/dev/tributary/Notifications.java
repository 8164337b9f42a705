package dev.tributary;

import dev.tributary.internal.Arguments;
import dev.tributary.internal.Dialect;
import dev.tributary.internal.OwnTransactions;
import dev.tributary.internal.sql.Notify;
import dev.tributary.internal.sql.PlainSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jooq.RowCountQuery;
import org.jooq.exception.DataAccessException;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which types have new jobs, told by PostgreSQL (LISTEN) when an enqueue that inserted a due job commits. A hint that saves
 * waiting, not a promise: what is told while nobody listens is lost, and jobs that merge, become due later or go back to
 * pending are not told at all. A {@link dev.tributary.worker.Worker} uses it for you.
 */
public final class Notifications {
    private static final Logger LOG = LoggerFactory.getLogger(Notifications.class);
    private static final long CHECKED_EVERY = Duration.ofSeconds(10).toNanos();
    private static final int CHECK_SECONDS = 5;

    private final DataSource dataSource;
    private final Dialect dialect;
    private final String channel;

    private Notifications(DataSource dataSource, String schema) {
        this.dataSource = dataSource;
        this.dialect = new Dialect(schema);
        this.channel = Notify.channel(schema);
    }

    /**
     * On a connection of the queue's own DataSource.
     *
     * @throws InvalidArgument if the queue is within a caller's transaction
     */
    public static Notifications of(JobQueue queue) {
        return new Notifications(own(queue).dataSource(), queue.schema);
    }

    private static OwnTransactions own(JobQueue queue) {
        return OwnTransactions.of(Arguments.notNull("the queue", queue).steps);
    }

    /**
     * On a connection of another DataSource.
     *
     * @param direct to the same database, not behind a pooler in transaction mode
     * @throws InvalidArgument if the queue is within a caller's transaction
     */
    public static Notifications of(JobQueue queue, DataSource direct) {
        own(queue);
        return new Notifications(Arguments.notNull("the DataSource", direct), queue.schema);
    }

    /**
     * Begins to listen; what commits from now on is told.
     *
     * @throws DataAccessException if the database does not answer
     */
    public Subscription subscribe() {
        try {
            Connection connection = dataSource.getConnection();
            try {
                return new Subscription(connection);
            } catch (Throwable failure) {
                discard(connection);
                throw failure;
            }
        } catch (SQLException e) {
            throw lost(e);
        }
    }

    private static DataAccessException lost(SQLException e) {
        return new DataAccessException("tributary: " + e.getMessage(), e);
    }

    /** What listens on it must not go back to a pool. */
    private static void discard(Connection connection) {
        try (connection) {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            LOG.debug("a connection that listened cannot be closed", e);
        }
    }

    /** A connection that listens. For one thread. */
    public final class Subscription implements AutoCloseable {
        private final Connection connection;
        private final PGConnection postgres;
        private final boolean autoCommit;
        private long checkAt = System.nanoTime() + CHECKED_EVERY;

        private Subscription(Connection connection) throws SQLException {
            this.connection = connection;
            postgres = connection.unwrap(PGConnection.class);
            autoCommit = connection.getAutoCommit();
            // In a transaction, nothing would be told before its end.
            connection.setAutoCommit(true);
            execute(PlainSql.listen(channel));
        }

        /**
         * Waits until something is told.
         *
         * @param longest at most so long, at least a millisecond
         * @return the names of the types; empty if nothing was told
         * @throws DataAccessException if the connection is lost
         */
        public Set<String> await(Duration longest) {
            try {
                // Zero would wait for ever.
                PGNotification[] told = postgres.getNotifications((int) Math.max(1, longest.toMillis()));
                if (told == null || told.length == 0) {
                    check();
                    return Set.of();
                }
                return Stream.of(told).map(PGNotification::getParameter).collect(Collectors.toUnmodifiableSet());
            } catch (SQLException e) {
                throw lost(e);
            }
        }

        /** A peer that vanished without a word is only found out by asking it something. */
        private void check() throws SQLException {
            if (System.nanoTime() - checkAt < 0) {
                return;
            }
            checkAt = System.nanoTime() + CHECKED_EVERY;
            if (!connection.isValid(CHECK_SECONDS)) {
                throw new SQLException("the connection that listens does not answer", "08006");
            }
        }

        /** Listens no more, and gives the connection back as it was. */
        @Override
        public void close() {
            try {
                execute(PlainSql.unlisten());
                postgres.getNotifications();
                connection.setAutoCommit(autoCommit);
                connection.close();
            } catch (SQLException | DataAccessException e) {
                LOG.debug("a connection that listened is discarded", e);
                discard(connection);
            }
        }

        private void execute(RowCountQuery query) {
            dialect.on(connection).execute(query);
        }
    }
}
