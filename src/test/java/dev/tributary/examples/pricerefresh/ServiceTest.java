package dev.tributary.examples.pricerefresh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.JobStatus;
import dev.tributary.TributarySchema;
import dev.tributary.support.Database;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class ServiceTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    @TempDir
    Path directory;

    private final CompletableFuture<Void> end = new CompletableFuture<Void>().orTimeout(120, TimeUnit.SECONDS);
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void losesNothingWhateverTheEngineRefusesAndWhoeverDies() {
        Summary summary = run(
                FeedGenerator.feed().subList(0, 400),
                "engine.deploy=0.01",
                "engine.full=0.05",
                "engine.queue=3",
                "worker.kills=2");

        Tally tally = summary.tally();
        assertThat(tally.of(Count.EVENTS)).isEqualTo(400);
        int distinct = Set.copyOf(FeedGenerator.feed().subList(0, 400)).size();
        assertThat(tally.of(Count.ACCEPTED)).isEqualTo(distinct);
        assertThat(tally.of(Count.DUPLICATES)).isEqualTo(400 - distinct).isPositive();
        assertThat(tally.of(Count.INSERTED) + tally.of(Count.MERGED)).isEqualTo(distinct);
        assertThat(tally.of(Count.RETURNED)).isPositive();
        assertThat(tally.of(Count.ENGINE_STOPPED)).isPositive();
        assertThat(tally.of(Count.WORKER_KILLED)).isPositive();
        assertThat(tally.of(Count.RESCUED)).isPositive();
        int requested = summary.balance().requested();
        assertThat(requested).isGreaterThan(300);
        assertThat(summary.balance()).isEqualTo(new Balance(requested, requested, 0, 0, 0));
        assertThat(database.jobs()).allMatch(job -> job.getStatus() == JobStatus.COMPLETED);
    }

    @Test
    void skipsBadLinesAndNamesThem() {
        List<String> lines = new ArrayList<>(FeedGenerator.feed().subList(0, 5));
        lines.add(2, "nonsense");
        lines.add(3, line("evt-1", "k".repeat(2_000)));
        lines.add(4, line("e".repeat(2_000), "k"));

        Summary summary = run(lines);

        assertThat(summary.tally().of(Count.EVENTS)).isEqualTo(5);
        assertThat(summary.tally().of(Count.SKIPPED)).isEqualTo(3);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("line 3 skipped: not JSON")
                .contains("line 4 skipped: PRICE_REFRESH payload at index 0: a merge key has at most 1024 bytes")
                .contains("line 5 skipped: a business key has at most 1024 bytes");
    }

    @Test
    void anEmptyFeedEndsAtOnce() {
        assertThat(run(List.of()).balance())
                .hasToString("requested 0 ids, recalculated 0, waiting 0, failed 0, lost 0");
    }

    @Test
    void endedEarlyItLeavesItsJobsPending() {
        var summary = CompletableFuture.supplyAsync(
                () -> run(FeedGenerator.feed(), "feed.rate=250", "engine.full=1", "worker.kills=0"));
        database.await(jobs -> !jobs.isEmpty() || summary.isDone());
        end.complete(null);

        Balance balance = summary.join().balance();
        assertThat(balance.waiting()).isPositive().isEqualTo(balance.requested());
        assertThat(database.jobs(JobStatus.RUNNING)).isEmpty();
        assertThat(database.jobs(JobStatus.PENDING)).isNotEmpty();
    }

    private static String line(String eventId, String catalogId) {
        return "{\"eventId\":\"" + eventId + "\",\"at\":\"2026-01-31T10:00:00Z\",\"catalogId\":\"" + catalogId
                + "\",\"productIds\":[\"p1\"]}";
    }

    private Summary run(List<String> lines, String... options) {
        Properties properties = new Properties();
        properties.setProperty("feed.rate", "1000");
        for (String option : options) {
            String[] pair = option.split("=");
            properties.setProperty(pair[0], pair[1]);
        }
        try (Feed feed = Feed.open(Files.write(directory.resolve("feed.jsonl"), lines));
                Progress progress = new Progress(feed.size(), new PrintStream(printed, true, StandardCharsets.UTF_8))) {
            Store store = new Store(database.dataSource(), database.url(), TributarySchema.DEFAULT);
            return new Service(Options.of(properties), store, feed, progress).run(end);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
