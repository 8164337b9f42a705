package dev.tributary.worker;

import static dev.tributary.support.Refresh.TYPE;
import static dev.tributary.support.Refresh.ids;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.EnqueueOptions;
import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.Settled;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import dev.tributary.support.Session;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody keeps a row locked: its own job waits for that, and no other. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LockedRowsTest {
    private static final EnqueueOptions LATER = EnqueueOptions.delayedBy(Duration.ofHours(1));

    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();
    private final CountDownLatch began = new CountDownLatch(1);
    private final CountDownLatch finish = new CountDownLatch(1);
    private final Ends ends = new Ends();

    /** A handler that settles its job in a long transaction of its own, a report, a foreign key. */
    @ParameterizedTest
    @ValueSource(strings = {"UPDATE", "NO KEY UPDATE", "SHARE", "KEY SHARE"})
    void renewsTheOthersAndDoesNotTakeTheLockedOneForLost(String lock) throws InterruptedException {
        long locked = queue.enqueue(TYPE, Refresh.of("a", "1")).jobId();
        long other = queue.enqueue(TYPE, Refresh.of("b", "1")).jobId();
        try (Session host = database.session();
                Worker worker = handling(job -> {
                            if (job.id() == other) {
                                began.countDown();
                            }
                            finish.await();
                            return Outcome.done();
                        })
                        .lease(Duration.ofSeconds(1))
                        .build()) {
            worker.start();
            began.await();
            host.executes("SELECT 1 FROM tributary.jobs WHERE id = " + locked + " FOR " + lock);
            database.awaitRenewal(other);
            host.rollsBack();
            database.awaitRenewal(locked);
            finish.countDown();
            ends.await(2);
        }
        assertThat(ends.settled()).containsExactly(Settled.DONE, Settled.DONE);
        assertThat(ends.lost()).isEmpty();
    }

    @Test
    void settlesAndRenewsTheOthersWhileARefusedOneWaitsForItsPendingJob() throws InterruptedException {
        CountDownLatch refuse = new CountDownLatch(1);
        queue.enqueue(TYPE, Refresh.of("a", "1"));
        long running = queue.enqueue(TYPE, Refresh.of("running", "1")).jobId();
        try (Session producer = database.session();
                Worker worker = handling(job -> switch (job.payload().catalogId()) {
                            case "a" -> {
                                began.countDown();
                                refuse.await();
                                yield Outcome.refused("busy", Duration.ofHours(1));
                            }
                            case "running" -> {
                                finish.await();
                                yield Outcome.done();
                            }
                            case "b0", "b1" -> Outcome.refused("busy", Duration.ofHours(1));
                            default -> Outcome.done();
                        })
                        .lease(Duration.ofSeconds(1))
                        .build()) {
            worker.start();
            began.await();
            lockPendingJob(producer);
            refuse.countDown();
            producer.awaitBlocking();

            queue.enqueueAll(TYPE, refreshes("x", 10));
            queue.enqueueAll(TYPE, refreshes("b", 2));
            ends.await(10);
            ends.awaitPutBack(2);
            database.awaitRenewal(running);

            producer.commits();
            ends.awaitPutBack(3);
            finish.countDown();
            ends.await(11);
        }
        assertThat(database.jobs(JobStatus.PENDING))
                .filteredOn(job -> job.getMergeKey().equals("a"))
                .singleElement()
                .satisfies(job -> assertThat(ids(job.getConfig().data())).containsExactly("1", "2", "3"));
    }

    @Test
    void completesTheOthersOfABatchWhileOneIsLocked() throws InterruptedException {
        long locked = queue.enqueue(TYPE, Refresh.of("a", "1")).jobId();
        try (Session host = database.session();
                Worker worker = handling(job -> {
                            if (job.id() == locked) {
                                began.countDown();
                                finish.await();
                            }
                            return Outcome.done();
                        })
                        .build()) {
            worker.start();
            began.await();
            host.executes("SELECT 1 FROM tributary.jobs WHERE id = " + locked + " FOR SHARE");
            finish.countDown();
            host.awaitBlocking();
            queue.enqueueAll(TYPE, refreshes("x", 20));
            ends.await(20);
            assertThat(database.job(locked).getStatus()).isEqualTo(JobStatus.RUNNING);
            host.commits();
            ends.await(21);
        }
    }

    @Test
    void takesWorkInAndClosesWhileARescueWaits() {
        queue.enqueue(TYPE, Refresh.of("a", "1"));
        queue.reserve(TYPE, 1, Refresh.LEASE);
        database.expireLeases();
        Worker worker = handling(job -> Outcome.done())
                .rescueEvery(Duration.ofMillis(100))
                .build();
        try (Session producer = database.session()) {
            lockPendingJob(producer);
            worker.start();
            producer.awaitBlocking();
            queue.enqueue(TYPE, Refresh.of("x", "1"));
            ends.await(1);
            worker.close();
            producer.commits();
        }
    }

    @Test
    void closesWhileAJobThatIsGivenBackWaits() throws InterruptedException {
        long id = queue.enqueue(TYPE, Refresh.of("a", "1")).jobId();
        Worker worker = handling(job -> {
                    began.countDown();
                    finish.await();
                    return Outcome.done();
                })
                .closeWithin(Duration.ZERO)
                .build();
        try (Session producer = database.session()) {
            worker.start();
            began.await();
            lockPendingJob(producer);
            worker.close();
            // Left to its lease.
            assertThat(database.job(id).getStatus()).isEqualTo(JobStatus.RUNNING);
            producer.commits();
        }
    }

    private Worker.Builder handling(JobHandler<Refresh> handler) {
        return Worker.on(queue).handle(TYPE, handler).listener(ends);
    }

    /** A producer's open transaction has merged into the pending job of key a. */
    private void lockPendingJob(Session producer) {
        queue.enqueue(TYPE, Refresh.of("a", "2"), LATER);
        producer.does(q -> q.enqueue(TYPE, Refresh.of("a", "3"), LATER));
    }

    private static List<Refresh> refreshes(String prefix, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Refresh.of(prefix + i, "1"))
                .toList();
    }
}
