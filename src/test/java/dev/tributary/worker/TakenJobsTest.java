package dev.tributary.worker;

import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.ReservedJob;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs between their reservation and their handler: executors that wait, run in the caller, or refuse. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TakenJobsTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();
    private final BlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();
    private final Set<Long> begun = ConcurrentHashMap.newKeySet();

    @Test
    void areNotHandledOnceTheyHaveBeenGivenBack() throws InterruptedException {
        queue.enqueue(TYPE, Refresh.of("c1", "p1"));
        Worker worker =
                handling().executor(waiting::add).closeWithin(Duration.ZERO).build();
        worker.start();
        Runnable taken = waiting.take();
        worker.close();
        assertThat(database.jobs()).allMatch(job -> job.getStatus() == JobStatus.PENDING && job.getAttempts() == 0);
        taken.run();
        assertThat(begun).isEmpty();
    }

    @Test
    void areNotHandledOnceTheirLeaseIsKnownToBeLostAndMakeRoomForOthers() throws InterruptedException {
        CompletableFuture<ReservedJob<?>> reserved = new CompletableFuture<>();
        Ends ends = new Ends() {
            @Override
            public void reserved(Reserved event) {
                reserved.complete(event.job());
            }
        };
        queue.enqueue(TYPE, Refresh.of("c1", "p1"));
        try (Worker worker = handling()
                .concurrency(1)
                .executor(waiting::add)
                .lease(Duration.ofMillis(300))
                .listener(ends)
                .build()) {
            worker.start();
            Runnable lost = waiting.take();
            queue.complete(reserved.join());
            ends.awaitLost(1);
            lost.run();
            assertThat(begun).isEmpty();
            long next = queue.enqueue(TYPE, Refresh.of("c2", "p1")).jobId();
            waiting.take().run();
            ends.await(1);
            assertThat(begun).containsExactly(next);
        }
    }

    @Test
    void areRenewedWhileAnExecutorKeepsTheThreadThatTakesThem() {
        List<Long> both = List.of(
                queue.enqueue(TYPE, Refresh.of("c1", "p1")).jobId(),
                queue.enqueue(TYPE, Refresh.of("c2", "p1")).jobId());
        Ends ends = new Ends();
        try (Worker worker = Worker.on(queue)
                .handle(TYPE, job -> {
                    if (begun.isEmpty()) {
                        begun.add(job.id());
                        both.stream().filter(id -> id != job.id()).forEach(database::awaitRenewal);
                    }
                    return Outcome.done();
                })
                .executor(Runnable::run)
                .lease(Duration.ofSeconds(1))
                .listener(ends)
                .build()) {
            worker.start();
            ends.await(2);
        }
        assertThat(database.jobs()).allMatch(job -> job.getStatus() == JobStatus.COMPLETED && job.getAttempts() == 1);
    }

    @Test
    void areGivenBackWhenAWorkerIsClosedThatHandlesOnTheThreadThatTakesThem() throws InterruptedException {
        queue.enqueueAll(TYPE, List.of(Refresh.of("c1", "p1"), Refresh.of("c2", "p1")));
        CountDownLatch began = new CountDownLatch(1);
        Worker worker = Worker.on(queue)
                .handle(TYPE, job -> {
                    begun.add(job.id());
                    began.countDown();
                    new CountDownLatch(1).await();
                    return Outcome.done();
                })
                .executor(Runnable::run)
                .closeWithin(Duration.ZERO)
                .build();
        worker.start();
        began.await();
        worker.close();
        assertThat(begun).as("the other one was not begun").hasSize(1);
        assertThat(database.jobs()).allMatch(job -> job.getStatus() == JobStatus.PENDING && job.getAttempts() == 0);
    }

    @Test
    void goBackForAWhileFromAnExecutorThatRefusesThem() {
        queue.enqueue(TYPE, Refresh.of("c1", "p1"));
        try (Worker worker = handling()
                .executor(task -> {
                    throw new RejectedExecutionException("shut down");
                })
                .build()) {
            worker.start();
            database.await(jobs -> jobs.stream()
                    .allMatch(job -> job.getStatus() == JobStatus.PENDING
                            && job.getAttempts() == 0
                            // Due at once, it would be taken and refused again as fast as that goes.
                            && job.getRunAt().isAfter(job.getUpdatedAt().plusMillis(500))));
        }
        assertThat(begun).isEmpty();
    }

    private Worker.Builder handling() {
        return Worker.on(queue).handle(TYPE, job -> {
            begun.add(job.id());
            return Outcome.done();
        });
    }
}
