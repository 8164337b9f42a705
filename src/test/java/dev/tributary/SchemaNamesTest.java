package dev.tributary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.support.Database;
import dev.tributary.support.Round;
import dev.tributary.support.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What the schema may be called. All these schemas are side by side in one database, which has no schema public. */
class SchemaNamesTest {
    private static final Database DATABASE = Database.empty();
    private static final DataSource DATA_SOURCE = DATABASE.pool();

    @BeforeAll
    static void dropPublic() {
        DATABASE.execute("DROP SCHEMA public");
    }

    @AfterAll
    static void drop() {
        DATABASE.close();
    }

    static Stream<String> unusual() {
        return Stream.of(
                "tributary",
                "My \"Queue\" ünï",
                "select",
                "a.b",
                "a,b",
                "\"$user\"",
                "$User",
                "with $ and ${x}",
                "${flyway:defaultSchema}",
                "it's",
                "back\\slash",
                " leading and trailing ",
                "UPPER",
                "Tributary",
                "tab\tand\nline",
                "{0} :x ?",
                "--",
                "/* c",
                "pgx",
                "PG_X",
                "emoji 😀",
                "n".repeat(63),
                "ü".repeat(31) + "n");
    }

    @ParameterizedTest
    @MethodSource("unusual")
    void anyLegalNameIsTakenAsItIs(String schema) {
        List<String> before = Tables.of(DATA_SOURCE);
        TributarySchema.migrate(DATA_SOURCE, schema);
        TributarySchema.migrate(DATA_SOURCE, schema);

        List<String> added = new ArrayList<>(Tables.of(DATA_SOURCE));
        added.removeAll(before);
        assertThat(added).isEqualTo(Tables.ofLibraryIn(schema));
        Round.on(JobQueue.on(DATA_SOURCE, schema), "c1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"escaped \\' quote", "escaped \\n \\\\ backslash", "escaped '' \\\""})
    void aNameIsTakenAsItIsWhereLiteralsHaveEscapes(String schema) {
        PGSimpleDataSource dataSource = DATABASE.dataSource();
        dataSource.setOptions("-c standard_conforming_strings=off");
        TributarySchema.migrate(dataSource, schema);
        TributarySchema.migrate(dataSource, schema);
        assertThat(Tables.of(DATA_SOURCE)).containsAll(Tables.ofLibraryIn(schema));
        Round.on(JobQueue.on(dataSource, schema), "c1");
    }

    /** The server folds what stands in the search path; a name of the schema that reads the same is another one. */
    @ParameterizedTest
    @MethodSource("inSearchPath")
    void theNameIsTakenAsItIsAlthoughTheSearchPathReadsLikeIt(String searchPath, String schema) {
        PGSimpleDataSource dataSource = DATABASE.dataSource();
        dataSource.setCurrentSchema(searchPath);
        TributarySchema.migrate(dataSource, schema);
        assertThat(Tables.of(DATA_SOURCE)).containsAll(Tables.ofLibraryIn(schema));
        Round.on(JobQueue.on(dataSource, schema), "c1");
    }

    static Stream<org.junit.jupiter.params.provider.Arguments> inSearchPath() {
        return Stream.of(
                org.junit.jupiter.params.provider.Arguments.of("Queue", "Queue"),
                org.junit.jupiter.params.provider.Arguments.of("Queue2,public", "Queue2"),
                org.junit.jupiter.params.provider.Arguments.of("\"Q3\",public", "\"Q3\""));
    }

    static Stream<String> unusable() {
        return Stream.of(
                null,
                "",
                " ",
                "\t\n",
                "$user",
                "n".repeat(64),
                "ü".repeat(32),
                "pg_x",
                "pg_",
                "a\u0000b",
                "lone \uD83D surrogate",
                "lone \uDE00",
                "\uDE00\uD83D");
    }

    @ParameterizedTest
    @MethodSource("unusable")
    void aNameThatCannotBeUsedIsRefusedByMigrationAndQueue(String schema) {
        List<String> before = Tables.of(DATA_SOURCE);
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(() -> TributarySchema.migrate(DATA_SOURCE, schema))
                .withMessageContaining("schema");
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(() -> JobQueue.on(DATA_SOURCE, schema))
                .withMessageContaining("schema");
        assertThat(Tables.of(DATA_SOURCE)).isEqualTo(before);
    }

    @Test
    void theRefusalSaysWhichNameAndWhatIsAllowed() {
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(() -> TributarySchema.migrate(DATA_SOURCE, "pg_queue"))
                .withMessageContaining("\"pg_queue\"")
                .withMessageContaining("begin with pg_");
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(() -> TributarySchema.migrate(DATA_SOURCE, "n".repeat(64)))
                .withMessageContaining("nnnn")
                .withMessageContaining("1 to 63 bytes");
    }
}
