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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two workers with eight handlers each on many keys that are enqueued again and again. */
@Tag("soak")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClusterTest {
    private static final int KEYS = Soak.rounds(500, 5_000);
    private static final int REQUESTS = Soak.rounds(2_000, 20_000);

    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobType<Refresh> type = JobType.named("PRICE_REFRESH", Refresh.class)
            .onePendingPer(Refresh::catalogId)
            .merging(Merge.union("productIds"))
            .serialPerKey()
            .maxAttempts(1_000)
            .backoff(Backoff.none())
            .build();

    private final Set<String> handled = ConcurrentHashMap.newKeySet();
    private final Set<String> keysInHandlers = ConcurrentHashMap.newKeySet();
    private final AtomicInteger twoOfAKey = new AtomicInteger();
    private final AtomicInteger leasesLost = new AtomicInteger();

    @Test
    void handlesEveryIdAndNoTwoJobsOfAKeyAtOnce() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(12);
        List<String> accepted = new ArrayList<>();
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JobQueue queue = JobQueue.on(pool);
            try (Worker one = worker(queue);
                    Worker two = worker(queue)) {
                one.start();
                two.start();
                for (int batch = 0; batch < REQUESTS / 500; batch++) {
                    Random random = new Random(batch);
                    int first = batch * 500;
                    List<Refresh> requests = IntStream.range(first, first + 500)
                            // One in four for the same few keys.
                            .mapToObj(i -> Refresh.of("c" + random.nextInt(i % 4 == 0 ? 5 : KEYS), "p" + i))
                            .toList();
                    queue.enqueueAll(type, requests);
                    requests.forEach(request -> accepted.addAll(request.productIds()));
                }
                Await.until(
                        () -> handled.size() >= accepted.size(),
                        () -> handled.size() + " of " + accepted.size() + " are handled");
            }
        }
        assertThat(handled).hasSize(REQUESTS);
        assertThat(twoOfAKey).hasValue(0);
        assertThat(leasesLost).hasValue(0);
        assertThat(database.jobs()).allMatch(job -> job.getStatus() == JobStatus.COMPLETED);
    }

    private Worker worker(JobQueue queue) {
        Random random = new Random(7);
        return Worker.on(queue)
                .handle(type, job -> {
                    if (!keysInHandlers.add(job.payload().catalogId())) {
                        twoOfAKey.incrementAndGet();
                    }
                    boolean refuses = random.nextInt(10) == 0;
                    Thread.yield();
                    keysInHandlers.remove(job.payload().catalogId());
                    if (refuses) {
                        return Outcome.refused("queue full");
                    }
                    handled.addAll(job.payload().productIds());
                    return Outcome.done();
                })
                .concurrency(8)
                .pollEvery(Duration.ofMillis(50))
                .listener(new WorkerListener() {
                    @Override
                    public void leaseLost(LeaseLost event) {
                        leasesLost.incrementAndGet();
                    }
                })
                .build();
    }
}
