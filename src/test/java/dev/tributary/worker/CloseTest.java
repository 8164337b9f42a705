package dev.tributary.worker;

import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.support.Await;
import dev.tributary.support.Database;
import dev.tributary.support.Gate;
import dev.tributary.support.Refresh;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is under way when a worker is closed: outcomes, a rescue, waits for connections and for a database that is silent. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CloseTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();
    private final CountDownLatch began = new CountDownLatch(1);

    /** The first outcome is being told, 30 wait behind it, and one handler runs until it is interrupted. */
    @Test
    void writesDownWhatHandlersHaveFinished() throws InterruptedException {
        long unfinished = queue.enqueue(TYPE, Refresh.of("unfinished", "1")).jobId();
        queue.enqueueAll(TYPE, refreshes(31));
        CountDownLatch finished = new CountDownLatch(31);
        CountDownLatch telling = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        ExecutorService threads = Executors.newCachedThreadPool();
        Worker worker = Worker.on(queue)
                .handle(TYPE, job -> {
                    if (job.id() == unfinished) {
                        began.countDown();
                        new CountDownLatch(1).await();
                    }
                    return Outcome.done();
                })
                .concurrency(32)
                .executor(task -> threads.execute(() -> {
                    task.run();
                    finished.countDown();
                }))
                .closeWithin(Duration.ZERO)
                .listener(new WorkerListener() {
                    @Override
                    public void ended(Ended event) {
                        telling.countDown();
                        try {
                            closing.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }

                    @Override
                    public void putBack(PutBack event) {
                        closing.countDown();
                    }
                })
                .build();
        worker.start();
        began.await();
        telling.await();
        finished.await();
        worker.close();
        threads.shutdown();
        assertThat(database.jobs(JobStatus.COMPLETED)).hasSize(31);
        assertThat(database.job(unfinished).getStatus()).isEqualTo(JobStatus.PENDING);
    }

    /** One connection, without a limit to the wait for it, is in the hands of a handler that only an interrupt ends. */
    @Test
    void interruptsTheHandlerThatHasTheConnectionForWhichItsThreadsWait() throws InterruptedException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(0);
        queue.enqueue(TYPE, Refresh.of("c1", "1"));
        try (HikariDataSource pool = new HikariDataSource(config)) {
            Worker worker = Worker.on(JobQueue.on(pool))
                    .handle(TYPE, job -> {
                        Connection connection = pool.getConnection();
                        try {
                            began.countDown();
                            new CountDownLatch(1).await();
                        } finally {
                            connection.close();
                        }
                        return Outcome.done();
                    })
                    .closeWithin(Duration.ZERO)
                    .build();
            worker.start();
            began.await();
            Await.until(
                    () -> pool.getHikariPoolMXBean().getThreadsAwaitingConnection() > 0,
                    () -> "nobody waits for a connection");
            worker.close();
        }
        assertThat(database.jobs()).allMatch(job -> job.getStatus() == JobStatus.PENDING && job.getAttempts() == 0);
    }

    @Test
    void doesNotWaitForADatabaseThatIsSilent() throws InterruptedException {
        AtomicBoolean silent = new AtomicBoolean();
        DataSource dataSource = Gate.beforeEachConnection(database.dataSource(), () -> {
            if (silent.get()) {
                new CountDownLatch(1).await();
            }
        });
        CountDownLatch interrupted = new CountDownLatch(1);
        queue.enqueue(TYPE, Refresh.of("c1", "1"));
        Worker worker = Worker.on(JobQueue.on(dataSource))
                .handle(TYPE, job -> {
                    began.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } finally {
                        interrupted.countDown();
                    }
                    return Outcome.done();
                })
                .closeWithin(Duration.ZERO)
                .build();
        worker.start();
        began.await();
        silent.set(true);
        worker.close();
        interrupted.await();
        assertThat(database.jobs(JobStatus.RUNNING)).as("left to its lease").hasSize(1);
    }

    @Test
    void stopsARescueAfterABatch() throws InterruptedException {
        queue.enqueueAll(TYPE, refreshes(100));
        queue.reserve(TYPE, 100, Refresh.LEASE);
        database.expireLeases();
        queue.enqueue(TYPE, Refresh.of("taken", "1"));
        CompletableFuture<Worker> self = new CompletableFuture<>();
        CompletableFuture<Thread> taking = new CompletableFuture<>();
        AtomicInteger rescued = new AtomicInteger();
        CountDownLatch stopped = new CountDownLatch(1);
        Worker worker = Worker.on(queue)
                .handle(TYPE, job -> Outcome.done())
                .rescueEvery(Duration.ofMillis(100))
                .listener(new WorkerListener() {
                    @Override
                    public void reserved(Reserved event) {
                        taking.complete(Thread.currentThread());
                    }

                    @Override
                    public void rescued(Rescue event) {
                        if (rescued.incrementAndGet() == 1) {
                            self.join().close();
                            join(taking.join());
                            stopped.countDown();
                        }
                    }
                })
                .build();
        self.complete(worker);
        worker.start();
        stopped.await();
        worker.close();
        assertThat(rescued).hasValueLessThanOrEqualTo(20);
        assertThat(database.jobs(JobStatus.RUNNING)).hasSize(80);
    }

    @Test
    void endsItsThreadsThoughAListenerSwallowsTheInterrupt() throws InterruptedException {
        CompletableFuture<Thread> renewing = new CompletableFuture<>();
        queue.enqueue(TYPE, Refresh.of("c1", "1"));
        Worker worker = Worker.on(queue)
                .handle(TYPE, job -> {
                    queue.complete(job);
                    new CountDownLatch(1).await();
                    return Outcome.done();
                })
                .lease(Duration.ofMillis(300))
                .closeWithin(Duration.ZERO)
                .listener(new WorkerListener() {
                    @Override
                    public void leaseLost(LeaseLost event) {
                        renewing.complete(Thread.currentThread());
                        try {
                            new CountDownLatch(1).await();
                        } catch (InterruptedException swallowed) {
                            // As listeners do.
                        }
                    }
                })
                .build();
        worker.start();
        Thread thread = renewing.join();
        worker.close();
        thread.join();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Refresh> refreshes(int count) {
        return IntStream.range(0, count).mapToObj(i -> Refresh.of("c" + i, "1")).toList();
    }
}
