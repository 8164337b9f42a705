package dev.tributary.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tributary.TributarySchema;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** An embedded PostgreSQL that keeps what it has committed: with fsync, as in production. */
final class Server implements AutoCloseable {
    private final EmbeddedPostgres postgres;
    private final HikariDataSource pool;

    private Server(EmbeddedPostgres postgres) {
        this.postgres = postgres;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(postgres.getJdbcUrl("postgres", "postgres"));
        config.setMaximumPoolSize(20);
        this.pool = new HikariDataSource(config);
    }

    static Server start() throws IOException {
        Server server = new Server(EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("shared_buffers", "512MB")
                .setServerConfig("max_wal_size", "4GB")
                .start());
        TributarySchema.migrate(server.pool);
        return server;
    }

    HikariDataSource pool() {
        return pool;
    }

    /** An empty table, with nothing of an earlier round left for the server to do. */
    void empty() throws SQLException {
        execute("TRUNCATE tributary.jobs, tributary.events");
        execute("CHECKPOINT");
    }

    void settle() throws SQLException {
        execute("VACUUM ANALYZE tributary.jobs");
        execute("CHECKPOINT");
    }

    /** How many rows it wrote. */
    int execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    @Override
    public void close() throws IOException {
        pool.close();
        postgres.close();
    }
}
