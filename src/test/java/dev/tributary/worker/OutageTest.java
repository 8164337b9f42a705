package dev.tributary.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tributary.Backoff;
import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.JobType;
import dev.tributary.Merge;
import dev.tributary.support.Await;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import dev.tributary.support.Soak;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The connections of a worker are cut again and again, at whatever statement they are, and nothing is lost. */
@Tag("soak")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OutageTest {
    private static final int JOBS = Soak.rounds(150, 300);

    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobType<Refresh> type = JobType.named("PRICE_REFRESH", Refresh.class)
            .onePendingPer(Refresh::catalogId)
            .merging(Merge.union("productIds"))
            .maxAttempts(10_000)
            .backoff(Backoff.none())
            .build();

    @Test
    void survivesThatItsBackendsAreTerminated() {
        JobQueue queue = database.queue();
        Set<String> handled = ConcurrentHashMap.newKeySet();
        HikariConfig config = new HikariConfig();
        var dataSource = database.dataSource();
        dataSource.setApplicationName("worker under test");
        config.setDataSource(dataSource);
        config.setMaximumPoolSize(4);
        int cuts = 0;
        try (HikariDataSource pool = new HikariDataSource(config);
                Worker worker = Worker.on(JobQueue.on(pool))
                        .handle(type, job -> {
                            if (job.attempt() == 1) {
                                return Outcome.refused("the first time always");
                            }
                            handled.addAll(job.payload().productIds());
                            return Outcome.done();
                        })
                        .lease(Duration.ofSeconds(1))
                        .rescueEvery(Duration.ofMillis(200))
                        .pollEvery(Duration.ofMillis(50))
                        .build()) {
            worker.start();
            for (int i = 0; i < JOBS; i++) {
                queue.enqueue(type, Refresh.of("c" + i % 60, "p" + i));
                if (i % 10 == 0) {
                    cuts += cut();
                }
            }
            Await.until(() -> handled.size() >= JOBS, () -> handled.size() + " of " + JOBS + " are handled");
        }
        assertThat(cuts).as("connections cut").isGreaterThan(10);
        assertThat(database.jobs()).noneMatch(job -> job.getStatus() == JobStatus.FAILED);
    }

    /** At least one. */
    private static int cut() {
        AtomicInteger cut = new AtomicInteger();
        Await.until(() -> cut.addAndGet(terminated()) > 0, () -> "the worker has no connection");
        return cut.get();
    }

    private static int terminated() {
        return database.<Integer>sql(db -> db.resultQuery("""
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                         WHERE application_name = 'worker under test' AND datname = current_database()""").fetch().size());
    }
}
