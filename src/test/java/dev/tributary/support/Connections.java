package dev.tributary.support;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/** Connections that are kept when they are closed: to begin a session takes the server longer than most statements. */
final class Connections implements AutoCloseable {
    private final DataSource inner;
    private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();

    Connections(DataSource inner) {
        this.inner = inner;
    }

    DataSource dataSource() {
        return OneConnection.proxy(DataSource.class, inner, "getConnection", this::lend);
    }

    private Connection lend() throws SQLException {
        for (Connection kept = idle.poll(); kept != null; kept = idle.poll()) {
            if (kept.isValid(10)) {
                return lent(kept);
            }
            kept.close();
        }
        return lent(inner.getConnection());
    }

    private Connection lent(Connection connection) {
        AtomicBoolean back = new AtomicBoolean();
        return OneConnection.proxy(Connection.class, connection, "close", () -> {
            if (back.compareAndSet(false, true)) {
                keep(connection);
            }
            return null;
        });
    }

    /** As it was when it was new, or not at all. */
    private void keep(Connection connection) throws SQLException {
        try {
            if (!connection.getAutoCommit()) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
            try (Statement statement = connection.createStatement()) {
                statement.execute("DISCARD ALL");
            }
            idle.push(connection);
        } catch (SQLException e) {
            connection.close();
        }
    }

    @Override
    public void close() {
        for (Connection kept = idle.poll(); kept != null; kept = idle.poll()) {
            try {
                kept.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
