package dev.tributary.support;

import dev.tributary.TributarySchema;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.postgresql.ds.PGSimpleDataSource;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * The server of a test run, started once and stopped when the JVM ends. System property {@code tributary.postgres} says
 * which: {@code embedded} (the default), {@code container}, or the JDBC URL of a server that is there.
 */
final class Postgres {
    private static final Postgres SERVER = start(System.getProperty("tributary.postgres", "embedded"));
    private static final String TEMPLATE = SERVER.migratedTemplate();

    /** A URL with everything but the name of the database, which goes where the %s is. */
    private final String url;

    private Postgres(String url) {
        this.url = url;
    }

    private static Postgres start(String which) {
        if (which.startsWith("jdbc:")) {
            return new Postgres(which.replaceFirst("(jdbc:postgresql://[^/]+/)[^?]*", "$1%s"));
        }
        return switch (which) {
            case "embedded" -> new Postgres(embedded());
            case "container" -> new Postgres(container());
            default ->
                throw new IllegalArgumentException(
                        "tributary.postgres is " + which + ": it must be embedded, container or a JDBC URL");
        };
    }

    private static String embedded() {
        try {
            // The hook of the library ends the server with the JVM.
            EmbeddedPostgres server = EmbeddedPostgres.builder()
                    .setServerConfig("max_connections", "200")
                    .setServerConfig("max_prepared_transactions", "5")
                    .start();
            return "jdbc:postgresql://localhost:" + server.getPort() + "/%s?user=postgres";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("resource") // lives as long as the JVM
    private static String container() {
        PostgreSQLContainer server = new PostgreSQLContainer("postgres:18")
                .withCommand("postgres -c max_connections=200 -c max_prepared_transactions=5 -c fsync=off");
        server.start();
        Runtime.getRuntime().addShutdownHook(new Thread(server::stop));
        return "jdbc:postgresql://" + server.getHost() + ":" + server.getFirstMappedPort() + "/%s?user="
                + server.getUsername() + "&password=" + server.getPassword();
    }

    private String migratedTemplate() {
        String template = create("template1");
        TributarySchema.migrate(dataSource(template));
        return template;
    }

    static String createFromTemplate() {
        return SERVER.create(TEMPLATE);
    }

    static String createEmpty() {
        return SERVER.create("template1");
    }

    /** @param encoding as PostgreSQL calls it */
    static String createEmptyIn(String encoding) {
        return SERVER.create("template0 ENCODING '" + encoding + "' LC_COLLATE 'C' LC_CTYPE 'C'");
    }

    static void drop(String database) {
        SERVER.administer("DROP DATABASE " + database + " WITH (FORCE)");
    }

    static String urlOf(String database) {
        return String.format(SERVER.url, database);
    }

    static PGSimpleDataSource dataSourceOf(String database) {
        return SERVER.dataSource(database);
    }

    private PGSimpleDataSource dataSource(String database) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(String.format(url, database));
        return dataSource;
    }

    private String create(String template) {
        String name = "tributary_test_" + UUID.randomUUID().toString().replace("-", "");
        administer("CREATE DATABASE " + name + " TEMPLATE " + template);
        return name;
    }

    private void administer(String sql) {
        try (Connection connection = DriverManager.getConnection(String.format(url, "postgres"));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
