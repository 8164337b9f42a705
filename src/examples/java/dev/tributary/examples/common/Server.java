package dev.tributary.examples.common;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tributary.TributarySchema;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * The PostgreSQL of a run: a real one, or embedded. What a run works on is in a schema of its own, so that what another
 * run left or does at the same time is neither done nor counted.
 */
public final class Server implements AutoCloseable {
    private static final int CONNECTIONS = 10;
    private static final int CONNECT_MILLIS = 5_000;

    private final String schema;
    private final Optional<EmbeddedPostgres> embedded;
    private final HikariDataSource pool;
    private final boolean dropsSchema;

    private Server(String name, Optional<EmbeddedPostgres> embedded, HikariDataSource pool, boolean dropsSchema) {
        this.schema = name + "_" + UUID.randomUUID().toString().substring(0, 8);
        this.embedded = embedded;
        this.pool = pool;
        this.dropsSchema = dropsSchema;
    }

    /**
     * @param name the schema's begins with it
     * @param jdbcUrl empty: an embedded server
     * @param keepSchema whether a real server keeps it at the end
     */
    public static Server open(String name, Optional<String> jdbcUrl, boolean keepSchema) {
        return jdbcUrl.map(url -> real(name, url, keepSchema))
                .orElseGet(() -> embedded(name))
                .migrated();
    }

    private static Server real(String name, String url, boolean keepSchema) {
        try {
            return new Server(name, Optional.empty(), pool(url), !keepSchema);
        } catch (RuntimeException e) {
            throw new Unusable("jdbc.url: no connection (" + reason(e) + ")");
        }
    }

    private static Server embedded(String name) {
        try {
            // Its own hook would stop it at Ctrl-C while the run still needs it.
            EmbeddedPostgres postgres =
                    EmbeddedPostgres.builder().setRegisterShutdownHook(false).start();
            return new Server(name, Optional.of(postgres), pool(postgres.getJdbcUrl("postgres", "postgres")), false);
        } catch (IOException | RuntimeException e) {
            throw new Unusable("the embedded PostgreSQL does not start (" + reason(e) + ")");
        }
    }

    private static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setConnectionTimeout(CONNECT_MILLIS);
        return new HikariDataSource(config);
    }

    private Server migrated() {
        try {
            TributarySchema.migrate(pool, schema);
            return this;
        } catch (RuntimeException e) {
            close();
            throw new Unusable("the schema " + schema + " cannot be made (" + reason(e) + ")");
        }
    }

    private static String reason(Exception e) {
        String message = String.valueOf((e.getCause() == null ? e : e.getCause()).getMessage());
        return message.lines().findFirst().orElse("");
    }

    public DataSource dataSource() {
        return pool;
    }

    public String url() {
        return pool.getJdbcUrl();
    }

    /** With the tables of the library in it. */
    public String schema() {
        return schema;
    }

    @Override
    public void close() {
        try (pool) {
            if (dropsSchema) {
                DSL.using(pool, SQLDialect.POSTGRES)
                        .dropSchemaIfExists(schema)
                        .cascade()
                        .execute();
            }
        } finally {
            embedded.ifPresent(Server::stop);
        }
    }

    private static void stop(EmbeddedPostgres postgres) {
        try {
            postgres.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
