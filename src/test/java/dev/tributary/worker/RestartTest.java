package dev.tributary.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tributary.Backoff;
import dev.tributary.JobQueue;
import dev.tributary.JobType;
import dev.tributary.Merge;
import dev.tributary.TributarySchema;
import dev.tributary.support.Await;
import dev.tributary.support.Refresh;
import dev.tributary.support.Soak;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** The server is restarted while a worker is at work: on a server of its own, since nobody else wants that. */
@Isolated("others might take the port while the server is down")
@Tag("soak")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RestartTest {
    private static final int JOBS = Soak.rounds(500, 2_000);

    @TempDir
    Path directory;

    private final JobType<Refresh> type = JobType.named("PRICE_REFRESH", Refresh.class)
            .onePendingPer(Refresh::catalogId)
            .merging(Merge.union("productIds"))
            .backoff(Backoff.none())
            .build();

    @Test
    void losesNothing() throws IOException {
        EmbeddedPostgres server = start(0);
        int port = server.getPort();
        Set<String> handled = ConcurrentHashMap.newKeySet();
        try {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(server.getJdbcUrl("postgres", "postgres"));
            config.setConnectionTimeout(1_000);
            config.setMaximumPoolSize(4);
            try (HikariDataSource pool = new HikariDataSource(config)) {
                TributarySchema.migrate(pool);
                JobQueue queue = JobQueue.on(pool);
                queue.enqueueAll(
                        type,
                        IntStream.range(0, JOBS)
                                .mapToObj(i -> Refresh.of("c" + i, "p" + i))
                                .toList());
                try (Worker worker = Worker.on(queue)
                        .handle(type, job -> {
                            handled.addAll(job.payload().productIds());
                            return Outcome.done();
                        })
                        .lease(Duration.ofSeconds(1))
                        .rescueEvery(Duration.ofMillis(200))
                        .build()) {
                    worker.start();
                    awaitSize(handled, 100);
                    server.close();
                    server = start(port);
                    awaitSize(handled, JOBS);
                }
            }
        } finally {
            server.close();
        }
        assertThat(handled).hasSize(JOBS);
    }

    private static void awaitSize(Set<String> handled, int size) {
        Await.until(() -> handled.size() >= size, () -> handled.size() + " of " + size + " are handled");
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
