package dev.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.support.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On a table full of ended jobs every statement reads a few rows by an index, whether its plan knows the values or not. */
class PlanTest {
    private static final Database database = Database.migrated();

    private static final Path TWINS = Path.of(System.getProperty("project.basedir"), "docs", "sql");

    @BeforeAll
    static void fill() {
        fill(database);
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    private static void fill(Database database) {
        database.execute("""
                INSERT INTO tributary.jobs (type, merge_key, status, config, max_attempts, started_at, finished_at)
                SELECT 'PRICE_REFRESH', 'c' || n % 500, 'COMPLETED', '{}', 10, now(), now() FROM generate_series(1, 100000) n""");
        database.execute("""
                INSERT INTO tributary.jobs (type, merge_key, config, max_attempts)
                SELECT 'PRICE_REFRESH', 'c' || n, '{}', 10 FROM generate_series(1, 5000) n""");
        database.execute("""
                INSERT INTO tributary.jobs
                       (type, merge_key, status, config, max_attempts, started_at, lock_token, lease_until)
                SELECT 'PRICE_REFRESH', 'c' || n, 'RUNNING', '{}', 10, now(), gen_random_uuid(), now()
                  FROM generate_series(1, 200) n""");
        database.execute("ANALYZE tributary.jobs");
        database.execute("""
                INSERT INTO tributary.events (business_key, payload)
                SELECT 'evt-' || n, '{}' FROM generate_series(1, 100000) n""");
        database.execute("ANALYZE tributary.events");
    }

    @ParameterizedTest
    @CsvSource({
        "reserve, jobs_due, force_custom_plan",
        "reserve, jobs_due, force_generic_plan",
        "rescue, jobs_lease, force_custom_plan",
        "rescue, jobs_lease, force_generic_plan",
        "merge-into-pending, jobs_one_pending_per_key, force_custom_plan",
        "merge-into-pending, jobs_one_pending_per_key, force_generic_plan",
        "full-jobs, jobs_one_pending_per_key, force_custom_plan",
        "full-jobs, jobs_one_pending_per_key, force_generic_plan",
        "carry-over, jobs_pkey, force_generic_plan",
        "complete, jobs_pkey, force_generic_plan",
        "retry, jobs_pkey, force_generic_plan",
        "differing, events_pkey, force_custom_plan",
        "differing, events_pkey, force_generic_plan",
        "batch-update, jobs_pkey, force_generic_plan",
        "delete-ended-jobs, jobs_ended, force_custom_plan",
        "delete-ended-jobs, jobs_ended, force_generic_plan",
        "delete-old-events, events_received, force_custom_plan",
        "delete-old-events, events_received, force_generic_plan",
    })
    void usesItsIndex(String statement, String index, String mode) throws Exception {
        String plan = plan(database, statement, mode, "EXPLAIN");
        assertThat(plan).contains("Index Scan using " + index).doesNotContain("Seq Scan");
    }

    /** The next page is read from an index of the keyset's columns, and its rows are found by their key. */
    @Test
    void walksByAnIndexOfItsColumns() throws Exception {
        try (Database other = Database.migrated()) {
            fill(other);
            other.execute("UPDATE tributary.events SET received_at = timestamptz '2026-11-30 08:00+00'"
                    + " + substr(business_key, 5)::integer * interval '1 s'");
            other.execute("CREATE INDEX events_walk ON tributary.events (received_at, business_key)");
            other.execute("VACUUM ANALYZE tributary.events");
            for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
                for (String statement : List.of("cursor-update", "cursor-delete", "cursor-insert", "cursor-last")) {
                    assertThat(plan(other, statement, mode, "EXPLAIN"))
                            .as(statement + ", " + mode)
                            .containsPattern("Index (Only )?Scan (Backward )?using events_walk")
                            .doesNotContain("Seq Scan");
                }
            }
        }
    }

    /** An order that is there before the first lock is taken: the scan of a CTE above a sort. */
    @ParameterizedTest
    @CsvSource({
        "lock-keys, force_custom_plan",
        "lock-keys, force_generic_plan",
        "lock-keys-striped, force_custom_plan",
        "lock-keys-striped, force_generic_plan",
    })
    void takesLocksInAnOrderThatIsThereBefore(String statement, String mode) throws Exception {
        assertThat(plan(database, statement, mode, "EXPLAIN (COSTS OFF)"))
                .matches("Aggregate\n  CTE ordered\n    ->  (Unique|Sort)\n(.*\n)*  ->  CTE Scan on ordered\n");
    }

    /** An old snapshot keeps dead rows in the table; the index of the waiting jobs is all that is read. */
    @Test
    void reservesFromItsIndexThoughAnOldSnapshotKeepsDeadRows() throws Exception {
        try (Database other = Database.migrated();
                Connection old = other.connect();
                Statement snapshot = old.createStatement()) {
            fill(other);
            old.setAutoCommit(false);
            snapshot.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            snapshot.execute("SELECT 1 FROM tributary.jobs LIMIT 1");
            for (int i = 0; i < 20; i++) {
                other.execute("UPDATE tributary.jobs SET priority = priority + 1 WHERE status = 'PENDING'");
            }
            other.execute("VACUUM ANALYZE tributary.jobs");
            String plan = plan(other, "reserve", "force_generic_plan", "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF)");
            assertThat(plan).contains("Index Scan using jobs_due").doesNotContain("Seq Scan");
        }
    }

    private static String plan(Database database, String name, String mode, String explain)
            throws IOException, SQLException {
        String twin = Files.readString(TWINS.resolve(name + ".sql"));
        Map<String, String> values = new HashMap<>();
        Matcher header = Pattern.compile("(?m)^--   -v (\\w+)=('.*')").matcher(twin);
        while (header.find()) {
            values.put(header.group(1), header.group(2).replaceFirst(" \\\\$", ""));
        }
        List<String> parameters = new ArrayList<>();
        String prepared = Pattern.compile(":'(\\w+)'").matcher(twin).replaceAll(match -> {
            if (!parameters.contains(match.group(1))) {
                parameters.add(match.group(1));
            }
            return "\\$" + (parameters.indexOf(match.group(1)) + 1);
        });
        String arguments = parameters.isEmpty()
                ? ""
                : parameters.stream().map(values::get).collect(Collectors.joining(", ", " (", ")"));
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET plan_cache_mode = " + mode);
            statement.execute("PREPARE twin AS " + prepared);
            StringBuilder plan = new StringBuilder();
            try (ResultSet lines = statement.executeQuery(explain + " EXECUTE twin" + arguments)) {
                while (lines.next()) {
                    plan.append(lines.getString(1)).append('\n');
                }
            }
            return plan.toString();
        }
    }
}
