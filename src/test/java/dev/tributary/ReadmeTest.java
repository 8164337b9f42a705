package dev.tributary;

import static dev.tributary.worker.Outcome.done;
import static dev.tributary.worker.Outcome.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.inbox.Event;
import dev.tributary.inbox.Inbox;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import dev.tributary.worker.Worker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first code of the README is the code between the markers here, and it runs. */
class ReadmeTest {
    private static final Path BASE = Path.of(System.getProperty("project.basedir"));
    private static final Database database = Database.empty();

    @AfterAll
    static void drop() {
        database.close();
    }

    interface Engine {
        boolean accepts(Object payload);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void itsCodeRuns(boolean accepted) {
        DataSource dataSource = database.dataSource();
        Engine engine = payload -> accepted;
        // README begins
        record PriceRefresh(String catalogId, List<String> productIds) {}

        JobType<PriceRefresh> REFRESH = JobType.named("PRICE_REFRESH", PriceRefresh.class)
                .onePendingPer(PriceRefresh::catalogId)
                .merging(Merge.union("productIds"))
                .build();

        TributarySchema.migrate(dataSource);
        JobQueue queue = JobQueue.on(dataSource);

        queue.enqueue(REFRESH, new PriceRefresh("c1", List.of("p1", "p2")));
        queue.enqueue(REFRESH, new PriceRefresh("c1", List.of("p2", "p3"))); // still one job: p1, p2, p3

        for (ReservedJob<PriceRefresh> job : queue.reserve(REFRESH, 10, Duration.ofMinutes(5))) {
            if (engine.accepts(job.payload())) {
                queue.complete(job);
            } else {
                queue.requeue(job, "engine is busy"); // merges into newer work, or waits again
            }
        }
        // README ends
        assertThat(database.jobs(accepted ? JobStatus.COMPLETED : JobStatus.PENDING))
                .extracting(job -> job.getConfig().data())
                .containsExactly("{\"catalogId\": \"c1\", \"productIds\": [\"p1\", \"p2\", \"p3\"]}");
    }

    @Test
    void itsWorkerWorks() {
        Database other = Database.empty();
        DataSource dataSource = other.dataSource();
        TributarySchema.migrate(dataSource);
        JobQueue queue = JobQueue.on(dataSource);
        JobType<Refresh> REFRESH = Refresh.TYPE;
        Engine engine = payload -> true;
        queue.enqueue(REFRESH, Refresh.of("c1", "p1"));
        // README goes on
        Worker worker = Worker.on(queue)
                .handle(REFRESH, job -> engine.accepts(job.payload()) ? done() : refused("engine is busy"))
                .concurrency(16)
                .build();
        worker.start(); // and close() at the end: what is not done by then goes back, without an attempt spent
        // README ends
        other.await(jobs -> jobs.stream().allMatch(job -> job.getStatus() == JobStatus.COMPLETED));
        worker.close();
        other.close();
    }

    @Test
    void itsInboxTakesEventsOnce() {
        Database other = Database.migrated();
        DataSource dataSource = other.dataSource();
        JobQueue queue = JobQueue.on(dataSource);
        JobType<Refresh> REFRESH = Refresh.TYPE;
        Event event = new Event("evt-4711", "{\"catalogId\": \"c1\", \"productIds\": [\"p1\"]}");
        List<Event> events = List.of(event, event);
        Function<Event, Refresh> asRefresh = e -> REFRESH.codec().decode(e.payloadJson());
        // README goes on
        Inbox inbox = Inbox.on(dataSource);

        inbox.ingest(events, (tx, accepted) -> { // accepted: those whose key was never delivered before
            var refreshes = accepted.stream().map(asRefresh).toList();
            queue.within(tx).enqueueAll(REFRESH, refreshes); // committed with the events, or not at all
        });
        // README ends
        assertThat(inbox.ingest(events).duplicates()).containsExactly("evt-4711", "evt-4711");
        assertThat(other.jobs())
                .singleElement()
                .satisfies(
                        job -> assertThat(Refresh.ids(job.getConfig().data())).containsExactly("p1"));
        other.close();
    }

    @Test
    void itsCodeIsTheCodeOfThisTest() throws IOException {
        List<String> readme = Files.readAllLines(BASE.resolve("README.md"));
        assertThat(readme.indexOf("```java")).isBetween(1, 18);
        List<String> test = Files.readAllLines(BASE.resolve("src/test/java/dev/tributary/ReadmeTest.java")).stream()
                .map(line -> line.replaceFirst("^ {8}", ""))
                .toList();
        assertThat(blocks(readme, "```java"::equals, "```"::equals))
                .hasSize(3)
                .isEqualTo(blocks(test, line -> line.matches("// README (begins|goes on)"), "// README ends"::equals));
    }

    @Test
    void itsLinksLeadSomewhere() throws IOException {
        for (String page : List.of(
                "README.md",
                "docs/coalescing.md",
                "docs/inbox.md",
                "docs/operations.md",
                "docs/decisions.md",
                "CONTRIBUTING.md")) {
            Path file = BASE.resolve(page);
            assertThat(java.util.regex.Pattern.compile("]\\((?!http)([^)#]+)\\)")
                            .matcher(Files.readString(file))
                            .results()
                            .map(link -> file.resolveSibling(link.group(1))))
                    .allSatisfy(target -> assertThat(target).exists());
        }
    }

    private static List<List<String>> blocks(List<String> lines, Predicate<String> begin, Predicate<String> end) {
        return IntStream.range(0, lines.size())
                .filter(i -> begin.test(lines.get(i)))
                .mapToObj(i -> lines.subList(i + 1, lines.size()).stream()
                        .takeWhile(end.negate())
                        .toList())
                .toList();
    }
}
