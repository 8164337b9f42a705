package dev.tributary.worker;

import static dev.tributary.support.Refresh.TYPE;
import static dev.tributary.support.Session.result;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.Requeued;
import dev.tributary.ReservedJob;
import dev.tributary.Settled;
import dev.tributary.support.Await;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A worker that has been started. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WorkerTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();

    @Test
    void handlesAllThatIsEnqueuedOnAPoolOfOneConnection() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(1);
        Set<String> handled = ConcurrentHashMap.newKeySet();
        Ends ends = new Ends();
        try (HikariDataSource pool = new HikariDataSource(config);
                Worker worker = Worker.on(JobQueue.on(pool))
                        .handle(TYPE, job -> {
                            handled.addAll(job.payload().productIds());
                            return Outcome.done();
                        })
                        .concurrency(8)
                        .listener(ends)
                        .build()) {
            worker.start();
            queue.enqueueAll(
                    TYPE,
                    IntStream.range(0, 200)
                            .mapToObj(i -> Refresh.of("c" + i, "p" + i))
                            .toList());
            ends.await(200);
        }
        assertThat(handled).hasSize(200);
        assertThat(database.jobs()).allMatch(job -> job.getStatus() == JobStatus.COMPLETED);
    }

    @Test
    void renewsTheLeaseWhileAHandlerRunsAndNoLonger() {
        CompletableFuture<ReservedJob<Refresh>> began = new CompletableFuture<>();
        CountDownLatch finish = new CountDownLatch(1);
        Ends ends = new Ends();
        try (Worker worker = Worker.on(queue)
                .handle(TYPE, job -> {
                    began.complete(job);
                    finish.await();
                    return Outcome.done();
                })
                .lease(Duration.ofMillis(300))
                .listener(ends)
                .build()) {
            worker.start();
            queue.enqueue(TYPE, Refresh.of("c1", "p1"));
            ReservedJob<Refresh> job = result(began);
            // Renewed at least twice: the lease in the table has moved past the one that was given.
            Await.until(
                    () -> database.job(job.id())
                            .getLeaseUntil()
                            .isAfter(job.leaseUntil().plusMillis(400)),
                    () -> "the lease is not renewed");
            assertThat(queue.rescue(TYPE, 10).jobs()).isEmpty();
            finish.countDown();
            ends.await(1);
        }
        assertThat(database.jobs(JobStatus.COMPLETED)).hasSize(1);
    }

    @Test
    void tellsAStalledHandlerAndItsLateOutcomeChangesNothing() {
        CompletableFuture<ReservedJob<Refresh>> first = new CompletableFuture<>();
        CountDownLatch finish = new CountDownLatch(1);
        CompletableFuture<ReservedJob<?>> lost = new CompletableFuture<>();
        Ends ends = new Ends() {
            @Override
            public void leaseLost(LeaseLost event) {
                lost.complete(event.job());
            }
        };
        try (Worker worker = Worker.on(queue)
                .handle(TYPE, job -> {
                    if (first.complete(job)) {
                        finish.await();
                    }
                    return Outcome.done();
                })
                .lease(Duration.ofSeconds(1))
                .listener(ends)
                .build()) {
            worker.start();
            queue.enqueue(TYPE, Refresh.of("c1", "p1"));
            ReservedJob<Refresh> stalled = result(first);
            // Somebody rescues it, before the next heartbeat if need be, and the same worker reserves it again and
            // completes it.
            do {
                database.expireLeases();
            } while (queue.rescue(TYPE, 10).jobs().isEmpty());
            assertThat(result(lost).id()).isEqualTo(stalled.id());
            assertThat(stalled.leaseLost()).isTrue();
            ends.await(1);
            finish.countDown();
            ends.await(2);
        }
        assertThat(ends.settled()).containsExactly(Settled.DONE, Settled.LEASE_LOST);
        assertThat(database.jobs()).extracting(job -> job.getStatus()).containsExactly(JobStatus.COMPLETED);
    }

    @Test
    void interruptsAHandlerWhoseLeaseIsLostIfAskedTo() {
        CompletableFuture<ReservedJob<Refresh>> began = new CompletableFuture<>();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        try (Worker worker = Worker.on(queue)
                .handle(TYPE, job -> {
                    began.complete(job);
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.complete(true);
                    }
                    return Outcome.done();
                })
                .lease(Duration.ofMillis(300))
                .interruptOnLeaseLost()
                .build()) {
            worker.start();
            queue.enqueue(TYPE, Refresh.of("c1", "p1"));
            queue.complete(result(began));
            assertThat(result(interrupted)).isTrue();
        }
    }

    @Test
    void runsHandlersOnAGivenExecutorAndSurvivesOneThatRefuses() throws InterruptedException {
        ExecutorService executor = Executors.newFixedThreadPool(2);
        CompletableFuture<String> thread = new CompletableFuture<>();
        CompletableFuture<Requeued> givenBack = new CompletableFuture<>();
        Ends ends = new Ends() {
            @Override
            public void putBack(PutBack event) {
                givenBack.complete(event.requeued());
            }
        };
        try (Worker worker = Worker.on(queue)
                .handle(TYPE, job -> {
                    thread.complete(Thread.currentThread().getName());
                    return Outcome.done();
                })
                .executor(executor)
                .listener(ends)
                .build()) {
            worker.start();
            queue.enqueue(TYPE, Refresh.of("c1", "p1"));
            assertThat(result(thread)).startsWith("pool-");
            ends.await(1);
            executor.shutdown();
            assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
            queue.enqueue(TYPE, Refresh.of("c1", "p2"));
            assertThat(result(givenBack)).isInstanceOf(Requeued.Returned.class);
        }
    }
}
