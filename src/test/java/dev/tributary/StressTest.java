package dev.tributary;

import static dev.tributary.support.Refresh.ids;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tributary.db.tables.records.JobsRecord;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import dev.tributary.support.Session;
import dev.tributary.support.Soak;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Eight threads enqueue, reserve, refuse, complete, fail, retry and let leases expire at random on five keys. Each id is
 * enqueued once, so at the end it is in exactly one place: handled by a job that was completed, or in one job that is not.
 */
@Tag("soak")
class StressTest {
    private static final int THREADS = 8;
    private static final Duration TIME = Duration.ofSeconds(Soak.rounds(2, 8));
    private static final int ENOUGH = 500;
    private static final List<String> ANSWERS =
            List.of("Inserted", "Merged", "Returned", "MergedInto", "Exhausted", "LeaseLost");
    private static final List<String> KEYS = List.of("k0", "k1", "k2", "k3", "k4");

    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobType<Refresh> type = JobType.named("PRICE_REFRESH", Refresh.class)
            .onePendingPer(Refresh::catalogId)
            .merging(Merge.union("productIds"))
            .maxAttempts(6)
            .backoff(Backoff.none())
            .build();

    private final Set<String> accepted = ConcurrentHashMap.newKeySet();
    private final Set<String> handled = ConcurrentHashMap.newKeySet();
    private final Map<String, AtomicInteger> seen = new ConcurrentHashMap<>();
    private final AtomicInteger lastId = new AtomicInteger();

    @Test
    void everyIdIsInExactlyOnePlace() {
        long seed = System.nanoTime();
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(THREADS + 2);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JobQueue queue = JobQueue.on(pool);
            long end = System.nanoTime() + TIME.toNanos();
            List<CompletableFuture<Void>> threads = IntStream.range(0, THREADS)
                    .mapToObj(thread -> {
                        Random random = new Random(seed + thread);
                        return CompletableFuture.runAsync(
                                () -> {
                                    while (System.nanoTime() < end || !(hasMetAll() || isLate(end))) {
                                        act(queue, pool, random);
                                    }
                                },
                                task -> new Thread(task).start());
                    })
                    .toList();
            threads.forEach(Session::result);
        }
        check("seed " + seed + ", " + seen);
    }

    private boolean hasMetAll() {
        return accepted.size() > ENOUGH && seen.keySet().containsAll(ANSWERS);
    }

    private static boolean isLate(long end) {
        return System.nanoTime() > end + TimeUnit.SECONDS.toNanos(15);
    }

    private void act(JobQueue queue, HikariDataSource pool, Random random) {
        int dice = random.nextInt(100);
        if (dice < 25) {
            Refresh request = request(random);
            count(queue.enqueue(type, request));
            accepted.addAll(request.productIds());
        } else if (dice < 35) {
            List<Refresh> requests = IntStream.range(0, random.nextInt(1, 20))
                    .mapToObj(i -> request(random))
                    .toList();
            queue.enqueueAll(type, requests).forEach(this::count);
            requests.forEach(request -> accepted.addAll(request.productIds()));
        } else if (dice < 45) {
            callersTransaction(queue, pool, random);
        } else if (dice < 93) {
            Duration lease = random.nextInt(5) == 0 ? Duration.ofMillis(1) : Duration.ofMinutes(1);
            for (ReservedJob<Refresh> job : queue.reserve(type, random.nextInt(1, 4), lease)) {
                settle(queue, job, random);
            }
        } else if (dice < 97) {
            queue.rescue(type, 10).jobs().forEach(this::count);
        } else {
            failedJobs().forEach(id -> queue.retry(type, id).ifPresent(this::count));
        }
    }

    private void settle(JobQueue queue, ReservedJob<Refresh> job, Random random) {
        int dice = random.nextInt(100);
        if (dice < 55) {
            count(queue.requeue(job, "queue full"));
        } else if (dice < 85) {
            if (queue.complete(job) == Settled.DONE) {
                handled.addAll(job.payload().productIds());
            }
        } else if (dice < 90) {
            queue.fail(job, "no such catalogue");
        } else if (dice < 95) {
            queue.renew(job, Duration.ofMillis(1));
        }
        // else: the worker has died, its lease expires
    }

    /** Several verbs in one transaction, which commits or not; as it takes keys in any order, it may be a deadlock's victim. */
    private void callersTransaction(JobQueue queue, HikariDataSource pool, Random random) {
        Refresh request = request(random);
        Set<String> handledHere = new HashSet<>();
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            JobQueue here = queue.within(connection);
            for (ReservedJob<Refresh> job : here.reserve(type, 1, Duration.ofMinutes(1))) {
                if (random.nextBoolean()) {
                    here.complete(job);
                    handledHere.addAll(job.payload().productIds());
                } else {
                    count(here.requeue(job, "queue full"));
                }
            }
            here.enqueue(type, request);
            if (random.nextInt(3) > 0) {
                connection.commit();
                accepted.addAll(request.productIds());
                handled.addAll(handledHere);
            } else {
                connection.rollback();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } catch (DataAccessException e) {
            assertThat(e.sqlState()).isEqualTo("40P01");
        }
    }

    private void check(String hint) {
        List<JobsRecord> rows = database.jobs();
        List<String> held = rows.stream()
                .filter(row -> row.getStatus() != JobStatus.COMPLETED)
                .flatMap(row -> ids(row.getConfig().data()).stream())
                .toList();
        assertThat(accepted).as(hint).hasSizeGreaterThan(ENOUGH);
        assertThat(held).as("held twice; " + hint).doesNotHaveDuplicates();
        assertThat(held).as("held and handled; " + hint).doesNotContainAnyElementsOf(handled);
        assertThat(Stream.concat(held.stream(), handled.stream()).collect(Collectors.toSet()))
                .as("lost; " + hint)
                .isEqualTo(accepted);
        assertThat(rows.stream()
                        .filter(row -> row.getStatus() == JobStatus.PENDING)
                        .map(JobsRecord::getMergeKey))
                .as("two pending; " + hint)
                .doesNotHaveDuplicates();
        Set<Long> rowIds = rows.stream().map(JobsRecord::getId).collect(Collectors.toSet());
        assertThat(rows.stream().map(JobsRecord::getMergedIntoJobId).filter(id -> id != null))
                .as("merged into a row that is not there; " + hint)
                .isSubsetOf(rowIds);
        assertThat(seen.keySet()).as("what the threads met").containsAll(ANSWERS);
    }

    private Refresh request(Random random) {
        List<String> ids = new ArrayList<>();
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            ids.add("p" + lastId.incrementAndGet());
        }
        return new Refresh(KEYS.get(random.nextInt(KEYS.size())), ids);
    }

    private List<Long> failedJobs() {
        return database.jobs(JobStatus.FAILED).stream().map(JobsRecord::getId).toList();
    }

    private void count(Object answer) {
        seen.computeIfAbsent(answer.getClass().getSimpleName(), name -> new AtomicInteger())
                .incrementAndGet();
    }
}
