package dev.tributary.worker;

import static dev.tributary.db.Tables.JOBS;
import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.Reservations;
import dev.tributary.ReservedJob;
import dev.tributary.internal.Dialect;
import dev.tributary.internal.sql.Reserve;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import dev.tributary.support.Session;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

/** Producers whose transactions overlap hand the lock of a pending job to each other. */
class HotKeyTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();

    @Test
    void isNeverSeenByALookThatWaitsForNobodyButIsGotByOneThatWaits() {
        queue.enqueue(TYPE, Refresh.of("k", "1"));
        try (Session one = database.session()) {
            one.does(q -> q.enqueue(TYPE, Refresh.of("k", "2")));
            assertThat(queue.reserve(TYPE, 1, Refresh.LEASE)).isEmpty();

            CompletableFuture<Optional<ReservedJob<Refresh>>> overdue = CompletableFuture.supplyAsync(
                    () -> Reservations.of(queue).reserveOverdue(TYPE, Duration.ZERO, Refresh.LEASE));
            one.awaitBlocking();
            one.commits();
            assertThat(Session.result(overdue).orElseThrow().payload()).isEqualTo(Refresh.of("k", "1", "2"));
        }
    }

    @Test
    void isLeftAloneIfTheLockDoesNotCome() {
        queue.enqueue(TYPE, Refresh.of("k", "1"));
        try (Session producer = database.session()) {
            producer.does(q -> q.enqueue(TYPE, Refresh.of("k", "2")));
            assertThat(Reservations.of(queue).reserveOverdue(TYPE, Duration.ZERO, Refresh.LEASE))
                    .isEmpty();
            producer.commits();
        }
        assertThat(database.jobs(JobStatus.PENDING)).hasSize(1);
    }

    @Test
    void isLeftAloneIfAShorterLimitOfTheConnectionPasses() {
        PGSimpleDataSource impatient = database.dataSource();
        impatient.setOptions("-c statement_timeout=50");
        queue.enqueue(TYPE, Refresh.of("k", "1"));
        try (Session producer = database.session()) {
            producer.does(q -> q.enqueue(TYPE, Refresh.of("k", "2")));
            assertThat(Reservations.of(JobQueue.on(impatient)).reserveOverdue(TYPE, Duration.ZERO, Refresh.LEASE))
                    .isEmpty();
        }
    }

    @Test
    void isWaitedForBeforeTheManyRowsThatALongTransactionKeeps() {
        queue.enqueueAll(TYPE, fifty("1"));
        queue.enqueue(TYPE, Refresh.of("hot", "1"));
        try (Session batch = database.session();
                Session producer = database.session();
                Session waiting = database.session()) {
            batch.does(q -> q.enqueueAll(TYPE, fifty("2")));
            database.sql(db -> IntStream.range(0, 1_000)
                    .mapToObj(i -> db.fetch("SELECT txid_current()").size())
                    .toList());
            producer.does(q -> q.enqueue(TYPE, Refresh.of("hot", "2")));
            // The statement alone, which waits until the test has seen it.
            CompletableFuture<List<String>> overdue = waiting.begins(q -> new Dialect("tributary")
                    .on(waiting.connection())
                    .fetch(Reserve.overdue(TYPE, Duration.ZERO, Refresh.LEASE, "holder"))
                    .getValues(JOBS.MERGE_KEY));
            producer.awaitBlocking();
            producer.commits();
            assertThat(Session.result(overdue)).containsExactly("hot");
        }
    }

    private static List<Refresh> fifty(String product) {
        return IntStream.range(0, 50)
                .mapToObj(i -> Refresh.of("c" + i, product))
                .toList();
    }

    /** What handles on the thread that takes work in would otherwise never see somebody wait. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void isWaitedForBesideTheThreadThatTakesWorkIn() {
        Ends ends = new Ends();
        queue.enqueue(TYPE, Refresh.of("hot", "1"));
        database.makeDue();
        try (Session producer = database.session();
                Worker worker = Worker.on(queue)
                        .handle(TYPE, job -> {
                            if (job.payload().catalogId().equals("other")) {
                                producer.awaitBlocking();
                            }
                            return Outcome.done();
                        })
                        .executor(Runnable::run)
                        .listener(ends)
                        .build()) {
            producer.does(q -> q.enqueue(TYPE, Refresh.of("hot", "2")));
            long other = queue.enqueue(TYPE, Refresh.of("other", "1")).jobId();
            worker.start();
            ends.await(1);
            assertThat(database.job(other).getStatus()).isEqualTo(JobStatus.COMPLETED);
            producer.commits();
        }
    }

    @Test
    void isNotTakenBeforeItIsOverdue() {
        queue.enqueue(TYPE, Refresh.of("k", "1"));
        assertThat(Reservations.of(queue).reserveOverdue(TYPE, Duration.ofHours(1), Refresh.LEASE))
                .isEmpty();
    }

    /** Three producers, each holding its transaction open until the next one waits for it: the row is never free. */
    @Test
    void isHandledByAWorkerThoughProducersAlwaysHoldIt() {
        Ends ends = new Ends();
        queue.enqueue(TYPE, Refresh.of("k", "first"));
        try (Session one = database.session();
                Session two = database.session();
                Worker worker = Worker.on(queue)
                        .handle(TYPE, job -> Outcome.done())
                        .listener(ends)
                        .build()) {
            Session holder = one;
            Session next = two;
            holder.does(q -> q.enqueue(TYPE, Refresh.of("k", "0")));
            worker.start();
            for (int i = 1; ends.settled().isEmpty(); i++) {
                String id = "p" + i;
                CompletableFuture<?> enqueue = next.begins(q -> q.enqueue(TYPE, Refresh.of("k", id)));
                // Either the next producer waits for the holder, or it waits for the worker, who waits for the holder.
                holder.awaitBlocking();
                holder.commits();
                Session.result(enqueue);
                Session last = holder;
                holder = next;
                next = last;
            }
            holder.commits();
            ends.await(1);
        }
    }
}
