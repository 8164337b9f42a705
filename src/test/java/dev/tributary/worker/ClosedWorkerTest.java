package dev.tributary.worker;

import static dev.tributary.support.Refresh.TYPE;
import static dev.tributary.support.Session.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A worker that is closed: in the middle of work, twice, by its own handler. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClosedWorkerTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();

    @Test
    void givesBackWhatItCannotFinishWhenClosedWithoutSpendingAnAttempt() throws InterruptedException {
        CountDownLatch began = new CountDownLatch(2);
        CountDownLatch interrupted = new CountDownLatch(2);
        Worker worker = Worker.on(queue)
                .handle(TYPE, job -> {
                    began.countDown();
                    try {
                        new CountDownLatch(1).await();
                        return Outcome.done();
                    } finally {
                        interrupted.countDown();
                    }
                })
                .closeWithin(Duration.ZERO)
                .build();
        worker.start();
        queue.enqueueAll(TYPE, List.of(Refresh.of("c1", "p1"), Refresh.of("c2", "p2")));
        began.await();
        queue.enqueue(TYPE, Refresh.of("c2", "p3"), dev.tributary.EnqueueOptions.delayedBy(Duration.ofHours(1)));

        Thread.currentThread().interrupt();
        worker.close();

        assertThat(Thread.interrupted()).as("the caller's interrupt flag").isTrue();
        interrupted.await();
        assertThat(database.jobs(JobStatus.RUNNING)).isEmpty();
        assertThat(database.jobs(JobStatus.PENDING)).hasSize(2).allMatch(job -> job.getAttempts() == 0);
        worker.close();
    }

    @Test
    void waitsForItsHandlersWhenClosed() throws InterruptedException {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        Worker worker = Worker.on(queue)
                .handle(TYPE, job -> {
                    began.countDown();
                    finish.await();
                    return Outcome.done();
                })
                .build();
        worker.start();
        queue.enqueue(TYPE, Refresh.of("c1", "p1"));
        began.await();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(worker::close);
        CompletableFuture<Void> closingToo = CompletableFuture.runAsync(worker::close);
        finish.countDown();
        result(closing);
        result(closingToo);
        assertThat(database.jobs(JobStatus.COMPLETED)).hasSize(1);
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(worker::start);
    }

    @Test
    void canBeClosedByAHandler() throws InterruptedException {
        CompletableFuture<Worker> self = new CompletableFuture<>();
        Worker worker = Worker.on(queue)
                .handle(TYPE, job -> {
                    self.join().close();
                    return Outcome.done();
                })
                .build();
        worker.start();
        queue.enqueue(TYPE, Refresh.of("c1", "p1"));
        self.complete(worker);
        database.await(jobs -> jobs.stream().anyMatch(job -> job.getStatus() == JobStatus.COMPLETED));
        worker.close();
    }
}
