package dev.tributary.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tributary.JobQueue;
import dev.tributary.JobType;
import dev.tributary.TributarySchema;
import dev.tributary.support.Await;
import dev.tributary.support.Soak;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The server is restarted while events are delivered, and the pool replaced by another: on a server of its own. */
@Isolated("others might take the port while the server is down")
@Tag("soak")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InboxRestartTest {
    private static final int EVENTS = Soak.rounds(1_000, 4_000);
    private static final int CLIENTS = 4;
    private static final JobType<Event> JOB =
            JobType.named("EVENT", Event.class).build();

    @TempDir
    Path directory;

    private final AtomicReference<HikariDataSource> pool = new AtomicReference<>();
    private final AtomicInteger delivered = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();

    @ParameterizedTest
    @EnumSource
    void everyEventIsAcceptedOnceAllTheSame(Strategy strategy) throws IOException {
        EmbeddedPostgres server = start(0);
        try {
            pool.set(pool(server));
            TributarySchema.migrate(pool.get());
            List<CompletableFuture<Void>> clients = IntStream.range(0, CLIENTS)
                    .mapToObj(client -> CompletableFuture.runAsync(
                            () -> deliver(strategy, new Random(client)), task -> new Thread(task).start()))
                    .toList();
            Await.until(() -> delivered.get() >= EVENTS, () -> delivered + " of " + EVENTS + " are delivered");
            server.close();
            server = start(server.getPort());
            pool.getAndSet(pool(server)).close();
            CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new)).join();

            DSLContext db = DSL.using(pool.get(), SQLDialect.POSTGRES);
            assertThat(failures).as("deliveries that failed").hasPositiveValue();
            assertThat(db.fetchCount(dev.tributary.db.Tables.EVENTS)).isEqualTo(EVENTS);
            assertThat(db.fetch("SELECT config->>'businessKey' FROM tributary.jobs")
                            .getValues(0, String.class))
                    .containsExactlyInAnyOrderElementsOf(Events.keys(Events.events("evt-", EVENTS)));
        } finally {
            pool.get().close();
            server.close();
        }
    }

    private void deliver(Strategy strategy, Random random) {
        List<Event> events = new ArrayList<>(Events.events("evt-", EVENTS));
        Collections.shuffle(events, random);
        for (int from = 0; from < EVENTS; ) {
            int to = Math.min(EVENTS, from + 20);
            HikariDataSource current = pool.get();
            JobQueue queue = JobQueue.on(current);
            try {
                Inbox.on(current)
                        .strategy(strategy)
                        .ingest(
                                events.subList(from, to),
                                (tx, accepted) -> queue.within(tx).enqueueAll(JOB, accepted));
                delivered.addAndGet(to - from);
                from = to;
            } catch (IngestFailed | DataAccessException e) {
                failures.incrementAndGet();
            }
        }
    }

    private static HikariDataSource pool(EmbeddedPostgres server) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.getJdbcUrl("postgres", "postgres"));
        config.setConnectionTimeout(1_000);
        config.setMaximumPoolSize(CLIENTS);
        return new HikariDataSource(config);
    }

    /** @param port 0 for any */
    private EmbeddedPostgres start(int port) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(directory.resolve("data"))
                .setCleanDataDirectory(false)
                .setPort(port)
                .start();
    }
}
