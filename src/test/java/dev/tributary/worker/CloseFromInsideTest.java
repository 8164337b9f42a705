package dev.tributary.worker;

import static dev.tributary.support.Refresh.TYPE;
import static dev.tributary.support.Session.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.support.Database;
import dev.tributary.support.Gate;
import dev.tributary.support.Refresh;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker that is closed on one of its own threads: nobody waits for itself, and what is done counts. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CloseFromInsideTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();
    private final CompletableFuture<Worker> self = new CompletableFuture<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    @ParameterizedTest
    @ValueSource(strings = {"reserved", "handled", "ended", "putBack", "rescued", "leaseLost", "trouble"})
    void canBeDoneByAListener(String event) {
        queue.enqueue(TYPE, Refresh.of("dropped", "1"));
        queue.reserve(TYPE, 1, Refresh.LEASE);
        database.expireLeases();
        queue.enqueueAll(TYPE, List.of(Refresh.of("done", "1"), Refresh.of("refused", "1"), Refresh.of("lost", "1")));
        JobQueue cut = JobQueue.on(Gate.beforeConnection(1, database.dataSource(), () -> {
            throw new SQLException("cut", "08006");
        }));
        Worker worker = Worker.on(cut)
                .handle(TYPE, job -> switch (job.payload().catalogId()) {
                    case "refused" -> Outcome.refused("busy", Duration.ofHours(1));
                    case "lost" -> {
                        queue.complete(job);
                        closed.join();
                        yield Outcome.done();
                    }
                    default -> Outcome.done();
                })
                .lease(Duration.ofMillis(300))
                .rescueEvery(Duration.ofMillis(100))
                .listener(closingAt(event))
                .build();
        self.complete(worker);
        worker.start();
        result(closed);
        worker.close();
        assertThat(database.jobs(JobStatus.RUNNING))
                .extracting(job -> job.getMergeKey())
                .isSubsetOf("dropped");
    }

    @Test
    void byTheListenerOfAnOutcomeDoesNotForgetThatOutcome() {
        queue.enqueue(TYPE, Refresh.of("c1", "1"));
        Worker worker = Worker.on(queue)
                .handle(TYPE, job -> Outcome.done())
                .closeWithin(Duration.ZERO)
                .listener(closingAt("handled"))
                .build();
        self.complete(worker);
        worker.start();
        result(closed);
        worker.close();
        assertThat(database.jobs(JobStatus.COMPLETED)).hasSize(1);
    }

    @Test
    void byAListenerOnTheThreadThatGivesBack() throws InterruptedException {
        CountDownLatch began = new CountDownLatch(1);
        queue.enqueue(TYPE, Refresh.of("c1", "1"));
        Worker worker = Worker.on(queue)
                .handle(TYPE, job -> {
                    began.countDown();
                    new CountDownLatch(1).await();
                    return Outcome.done();
                })
                .closeWithin(Duration.ZERO)
                .listener(closingAt("putBack"))
                .build();
        self.complete(worker);
        worker.start();
        began.await();
        worker.close();
        result(closed);
    }

    /** Its job would be given back, and it would be interrupted, if it got no time at all. */
    @Test
    void byAHandlerLeavesItTheTimeForItsOutcome() {
        CountDownLatch givenBack = new CountDownLatch(1);
        queue.enqueue(TYPE, Refresh.of("c1", "1"));
        Worker worker = Worker.on(queue)
                .handle(TYPE, job -> {
                    self.join().close();
                    boolean lost = givenBack.await(500, TimeUnit.MILLISECONDS);
                    closed.complete(null);
                    return lost ? Outcome.failed("given back") : Outcome.done();
                })
                .closeWithin(Duration.ZERO)
                .listener(new WorkerListener() {
                    @Override
                    public void putBack(PutBack event) {
                        givenBack.countDown();
                    }
                })
                .build();
        self.complete(worker);
        worker.start();
        result(closed);
        worker.close();
        assertThat(database.jobs(JobStatus.COMPLETED)).hasSize(1);
    }

    private WorkerListener closingAt(String event) {
        return (WorkerListener) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {WorkerListener.class}, (p, method, arguments) -> {
                    if (method.getName().equals(event)) {
                        self.join().close();
                        closed.complete(null);
                    }
                    return null;
                });
    }
}
