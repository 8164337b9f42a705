package dev.tributary.examples.pricerefresh;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tributary.TributarySchema;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.UUID;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * The PostgreSQL of a run: a real one, or embedded. The jobs of a run are in a schema of its own, so that those of another
 * run, earlier or at the same time, are neither done nor counted.
 */
final class Server implements AutoCloseable {
    private static final int CONNECTIONS = 10;
    private static final int CONNECT_MILLIS = 5_000;

    private final String schema =
            "price_refresh_" + UUID.randomUUID().toString().substring(0, 8);
    private final Optional<EmbeddedPostgres> embedded;
    private final HikariDataSource pool;
    private final boolean dropsSchema;

    private Server(Optional<EmbeddedPostgres> embedded, HikariDataSource pool, boolean dropsSchema) {
        this.embedded = embedded;
        this.pool = pool;
        this.dropsSchema = dropsSchema;
    }

    static Server open(Options options) {
        return options.jdbcUrl()
                .map(url -> real(url, options.keepSchema()))
                .orElseGet(Server::embedded)
                .migrated();
    }

    private static Server real(String url, boolean keepSchema) {
        try {
            return new Server(Optional.empty(), pool(url), !keepSchema);
        } catch (RuntimeException e) {
            throw new Unusable("jdbc.url: no connection (" + reason(e) + ")");
        }
    }

    private static Server embedded() {
        try {
            // Its own hook would stop it at Ctrl-C while the run still needs it.
            EmbeddedPostgres postgres =
                    EmbeddedPostgres.builder().setRegisterShutdownHook(false).start();
            return new Server(Optional.of(postgres), pool(postgres.getJdbcUrl("postgres", "postgres")), false);
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

    Store store() {
        return new Store(pool, pool.getJdbcUrl(), schema);
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
