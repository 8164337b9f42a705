package dev.tributary;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import dev.tributary.support.Round;
import dev.tributary.support.Tables;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;

/** {@link TributarySchema#migrate} alone in its database. */
class SchemaTest {
    private final Database database = Database.empty();
    private final DataSource dataSource = database.dataSource();

    @AfterEach
    void drop() {
        database.close();
    }

    @Test
    void makesTheTablesInASchemaOfItsOwn() {
        TributarySchema.migrate(dataSource);
        assertThat(Tables.of(dataSource)).isEqualTo(Tables.ofLibraryIn("tributary"));
        Round.on(JobQueue.on(dataSource), "c1");
    }

    @Test
    void recordsTheFirstMigrationAsAppliedAndNotAsBaseline() {
        TributarySchema.migrate(dataSource);
        List<String> history = database.sql(db -> db.fetch(
                        "SELECT version || ' ' || type || ' ' || success FROM tributary.tributary_schema_history")
                .getValues(0, String.class));
        assertThat(history).startsWith("1 SQL true").allMatch(migration -> migration.endsWith(" SQL true"));
    }

    @Test
    void doesNothingTheSecondTime() {
        TributarySchema.migrate(dataSource);
        JobQueue.on(dataSource).enqueue(TYPE, Refresh.of("c1", "p1"));
        String before = everything();
        TributarySchema.migrate(dataSource);
        assertThat(everything()).isEqualTo(before);
    }

    @Test
    void keepsTwoSchemasOfOneDatabaseApart() {
        TributarySchema.migrate(dataSource, "one");
        TributarySchema.migrate(dataSource, "two");
        JobQueue one = JobQueue.on(dataSource, "one");
        JobQueue two = JobQueue.on(dataSource, "two");

        Enqueued inOne = one.enqueue(TYPE, Refresh.of("c1", "p1"));
        Enqueued inTwo = two.enqueue(TYPE, Refresh.of("c1", "p2"));

        assertThat(List.of(inOne, inTwo)).allMatch(Enqueued.Inserted.class::isInstance);
        assertThat(one.reserve(TYPE, 10, LEASE))
                .extracting(ReservedJob::payload)
                .containsExactly(Refresh.of("c1", "p1"));
        assertThat(two.reserve(TYPE, 10, LEASE))
                .extracting(ReservedJob::payload)
                .containsExactly(Refresh.of("c1", "p2"));
    }

    @Test
    void leavesASchemaThatANewerNodeHasMigratedAsItIs() {
        TributarySchema.migrate(dataSource);
        database.execute(
                "INSERT INTO tributary.tributary_schema_history (installed_rank, version, description, type, script,"
                        + " checksum, installed_by, execution_time, success)"
                        + " VALUES (999, '999', 'later', 'SQL', 'V999__later.sql', 1, 'newer node', 1, true)");
        String before = everything();
        TributarySchema.migrate(dataSource);
        assertThat(everything()).isEqualTo(before);
        Round.on(JobQueue.on(dataSource), "c1");
    }

    @Test
    void refusesMigrationsThatWereChangedAfterTheyRan() {
        TributarySchema.migrate(dataSource);
        database.execute("UPDATE tributary.tributary_schema_history SET checksum = checksum + 1 WHERE version = '1'");
        assertThatExceptionOfType(org.flywaydb.core.api.FlywayException.class)
                .isThrownBy(() -> TributarySchema.migrate(dataSource))
                .withMessageContaining("checksum");
    }

    /** Where LATIN1 has no place for a character of a payload, the enqueue would be an error of the database. */
    @ParameterizedTest
    @ValueSource(strings = {"LATIN1", "SQL_ASCII", "EUC_JP"})
    void refusesADatabaseWhoseEncodingIsNotUtf8(String encoding) {
        try (Database other = Database.emptyIn(encoding)) {
            assertThatExceptionOfType(TributaryException.class)
                    .isThrownBy(() -> TributarySchema.migrate(other.dataSource()))
                    .withMessageContaining("the encoding " + encoding + ",")
                    .withMessageContaining("needs UTF8")
                    .withMessageContaining("the database \"tributary_test_");
            assertThat(Tables.of(other.dataSource())).isEmpty();
            boolean created = other.sql(
                    db -> db.fetchExists(DSL.selectOne().from("pg_namespace").where("nspname = 'tributary'")));
            assertThat(created).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"no_such_schema", "empty"})
    void isNamedByTheErrorOfAQueueWithoutTables(String schema) throws SQLException {
        database.execute("CREATE SCHEMA empty");
        JobQueue queue = JobQueue.on(dataSource, schema);
        namesTheMigration(schema, () -> queue.enqueue(TYPE, Refresh.of("c1", "p1")));
        namesTheMigration(schema, () -> queue.enqueueAll(TYPE, List.of(Refresh.of("c1", "p1"))));
        namesTheMigration(schema, () -> queue.reserve(TYPE, 1, LEASE));
        namesTheMigration(schema, () -> queue.rescue(TYPE, 1));
        namesTheMigration(schema, () -> queue.retry(TYPE, 1));
        namesTheMigration(schema, () -> queue.find(1));
        try (Connection caller = database.connect()) {
            caller.setAutoCommit(false);
            namesTheMigration(schema, () -> queue.within(caller).enqueue(TYPE, Refresh.of("c1", "p1")));
        }
    }

    private static void namesTheMigration(String schema, ThrowingCallable verb) {
        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(verb)
                .withMessageContaining("TributarySchema.migrate(dataSource, \"" + schema + "\")")
                .withMessageContaining("\"" + schema + ".jobs\" does not exist")
                .withCauseInstanceOf(PSQLException.class)
                .extracting(DataAccessException::sqlState)
                .isEqualTo("42P01");
    }

    @Test
    void refusesAMissingDataSource() {
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(() -> TributarySchema.migrate(null))
                .withMessageContaining("DataSource is null");
    }

    /** All rows and columns, to see that nothing has changed. */
    private String everything() {
        return DSL.using(dataSource, SQLDialect.POSTGRES)
                        .fetch("SELECT * FROM tributary.tributary_schema_history")
                        .toString()
                + DSL.using(dataSource, SQLDialect.POSTGRES).fetch("SELECT * FROM tributary.jobs")
                + DSL.using(dataSource, SQLDialect.POSTGRES)
                        .fetch("SELECT * FROM information_schema.columns WHERE table_schema = 'tributary'");
    }
}
