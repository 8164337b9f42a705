package dev.tributary;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jooq.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The queries of docs/operations.md run, and the ages that the first one tells are what it says of them. */
class OperationsTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();

    @Test
    void theQueriesRun() throws IOException {
        queue.enqueue(TYPE, Refresh.of("c1", "p1"));
        assertThat(queries()).hasSize(4).allSatisfy(query -> database.sql(db -> db.fetch(query)));
    }

    @Test
    void theAgeOfDueJobsCountsFromWhenTheyWereDueAndThatOfWorkFromItsEnqueue() throws IOException {
        queue.enqueue(TYPE, Refresh.of("c1", "p1"));
        enqueuedHoursAgo(3);
        ReservedJob<Refresh> job = queue.reserve(TYPE, 1, LEASE).get(0);
        long newer = queue.enqueue(TYPE, Refresh.of("c1", "p2")).jobId();
        queue.requeue(job, "queue full", Duration.ofHours(1));

        assertThat(age("oldest_due")).as("it waits after a refusal").isNull();
        assertThat(age("oldest_work")).as("by the earlier of both enqueues").isBetween(179 * 60, 200 * 60);

        database.sql(db ->
                db.execute("UPDATE tributary.jobs SET run_at = now() - interval '10 minutes' WHERE id = ?", newer));
        assertThat(age("oldest_due")).isBetween(9 * 60, 30 * 60);
        assertThat(age("oldest_work")).isBetween(179 * 60, 200 * 60);
    }

    private static void enqueuedHoursAgo(int hours) {
        database.sql(db -> db.execute(
                "UPDATE tributary.jobs SET first_enqueued_at = first_enqueued_at - ? * interval '1 hour'", hours));
    }

    /** In seconds, of the pending jobs. */
    private static Integer age(String column) throws IOException {
        String query = queries().get(0);
        Record row = database.sql(db -> db.fetchSingle("SELECT extract(epoch FROM " + column + ")::int AS age FROM ("
                + query + ") AS ages WHERE status = 'PENDING'"));
        return row.get("age", Integer.class);
    }

    private static List<String> queries() throws IOException {
        String text = Files.readString(Path.of(System.getProperty("project.basedir"), "docs", "operations.md"));
        String block = text.substring(text.indexOf("```sql\n") + 7, text.indexOf("```", text.indexOf("```sql\n") + 7));
        return Arrays.stream(block.split(";\n")).toList();
    }
}
