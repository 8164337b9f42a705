package dev.tributary.race;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.TYPE;
import static dev.tributary.support.Refresh.ids;
import static dev.tributary.support.Session.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tributary.Enqueued;
import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.ReservedJob;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import dev.tributary.support.Session;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class EnqueueRaceTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();

    /** The birth of a second job of the key. */
    @Test
    void waitsForAReservationToCommitThenInserts() {
        long first = queue.enqueue(TYPE, Refresh.of("k", "1")).jobId();
        try (Session worker = database.session();
                Session producer = database.session()) {
            worker.does(q -> q.reserve(TYPE, 1, LEASE));
            CompletableFuture<Enqueued> enqueue = producer.begins(q -> q.enqueue(TYPE, Refresh.of("k", "2")));
            producer.awaitBlockedBy(worker);
            worker.commits();
            assertThat(result(enqueue)).isInstanceOf(Enqueued.Inserted.class);
            producer.commits();
        }
        assertThat(database.job(first).getStatus()).isEqualTo(JobStatus.RUNNING);
        assertThat(database.jobs(JobStatus.PENDING))
                .extracting(job -> ids(job.getConfig().data()))
                .containsExactly(List.of("2"));
    }

    @Test
    void waitsForAReservationThatRollsBackThenMerges() {
        long first = queue.enqueue(TYPE, Refresh.of("k", "1")).jobId();
        try (Session worker = database.session();
                Session producer = database.session()) {
            worker.does(q -> q.reserve(TYPE, 1, LEASE));
            CompletableFuture<Enqueued> enqueue = producer.begins(q -> q.enqueue(TYPE, Refresh.of("k", "2")));
            producer.awaitBlockedBy(worker);
            worker.rollsBack();
            assertThat(result(enqueue)).isEqualTo(new Enqueued.Merged(first));
            producer.commits();
        }
        assertThat(ids(database.job(first).getConfig().data())).containsExactly("1", "2");
    }

    @Test
    void waitsForTheFirstEnqueueOfItsKey() {
        try (Session one = database.session();
                Session two = database.session();
                Session three = database.session()) {
            one.does(q -> q.enqueue(TYPE, Refresh.of("k", "1")));
            CompletableFuture<Enqueued> second = two.begins(q -> q.enqueue(TYPE, Refresh.of("k", "2")));
            two.awaitBlockedBy(one);
            one.rollsBack();
            assertThat(result(second)).isInstanceOf(Enqueued.Inserted.class);
            CompletableFuture<Enqueued> third = three.begins(q -> q.enqueue(TYPE, Refresh.of("k", "3")));
            three.awaitBlockedBy(two);
            two.commits();
            assertThat(result(third)).isInstanceOf(Enqueued.Merged.class);
            three.commits();
        }
        assertThat(database.jobs())
                .extracting(job -> ids(job.getConfig().data()))
                .containsExactly(List.of("2", "3"));
    }

    @Test
    void losesNothingToTwentyProducersOfOneKey() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(20);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JobQueue queue = JobQueue.on(pool);
            List<CompletableFuture<Void>> producers = IntStream.range(0, 20)
                    .mapToObj(producer -> CompletableFuture.runAsync(
                            () -> IntStream.range(0, 50)
                                    .forEach(i -> queue.enqueue(TYPE, Refresh.of("k", producer + "-" + i))),
                            task -> new Thread(task).start()))
                    .toList();
            producers.forEach(Session::result);
        }
        assertThat(database.jobs()).hasSize(1);
        assertThat(ids(database.jobs().get(0).getConfig().data())).hasSize(1000).doesNotHaveDuplicates();
    }

    @Test
    void takesTheRowsOfABatchInTheOrderOfTheirKeys() {
        try (Session holder = database.session();
                Session batch = database.session()) {
            holder.does(q -> q.enqueue(TYPE, Refresh.of("a", "1")));
            CompletableFuture<List<Enqueued>> both =
                    batch.begins(q -> q.enqueueAll(TYPE, List.of(Refresh.of("b", "2"), Refresh.of("a", "2"))));
            batch.awaitBlockedBy(holder);
            // The batch waits for a and has not touched b: who has a may take b, and no circle can close.
            holder.executes("SET LOCAL lock_timeout = '5s'");
            holder.does(q -> q.enqueue(TYPE, Refresh.of("b", "1")));
            holder.commits();
            assertThat(result(both)).allMatch(Enqueued.Merged.class::isInstance);
            batch.commits();
        }
    }

    @Test
    void survivesBatchesInOppositeOrdersAndARescuer() {
        List<Refresh> forth =
                Stream.of("a", "b", "c", "d").map(key -> Refresh.of(key, "1")).toList();
        List<Refresh> back =
                Stream.of("d", "c", "b", "a").map(key -> Refresh.of(key, "2")).toList();
        List<CompletableFuture<Void>> callers = Stream.of(forth, back)
                .map(batch -> CompletableFuture.runAsync(() -> {
                    try (Session session = database.session()) {
                        for (int i = 0; i < 100; i++) {
                            session.does(q -> q.enqueueAll(TYPE, batch));
                            session.commits();
                        }
                    }
                }))
                .toList();
        while (!callers.stream().allMatch(CompletableFuture::isDone)) {
            queue.reserve(TYPE, 2, LEASE);
            database.expireLeases();
            queue.rescue(TYPE, 10);
        }
        callers.forEach(Session::result);
        assertThat(database.jobs(JobStatus.PENDING)).hasSizeBetween(1, 4);
    }

    @Test
    void passesADeadlockOfTwoCallersOnUnchanged() {
        try (Session one = database.session();
                Session two = database.session()) {
            one.does(q -> q.enqueue(TYPE, Refresh.of("a", "1")));
            two.does(q -> q.enqueue(TYPE, Refresh.of("b", "2")));
            CompletableFuture<Enqueued> oneWaits = one.begins(q -> q.enqueue(TYPE, Refresh.of("b", "1")));
            one.awaitBlockedBy(two);
            CompletableFuture<Enqueued> twoCloses = two.begins(q -> q.enqueue(TYPE, Refresh.of("a", "2")));
            // One of them is chosen as the victim; its rollback lets the other go on.
            Throwable victims = CompletableFuture.anyOf(failureOf(oneWaits), failureOf(twoCloses))
                    .thenApply(Throwable.class::cast)
                    .join();
            assertThat(victims).isInstanceOf(DataAccessException.class);
            assertThat(((DataAccessException) victims).sqlState()).isEqualTo("40P01");
        }
    }

    @Test
    void passesASerializationFailureOnUnchangedSoThatTheCallerCanRetry() {
        queue.enqueue(TYPE, Refresh.of("k", "1"));
        try (Session caller = database.session()) {
            caller.executes("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            caller.executes("SELECT count(*) FROM tributary.jobs");
            queue.enqueue(TYPE, Refresh.of("k", "2"));
            assertThatExceptionOfType(DataAccessException.class)
                    .isThrownBy(() -> caller.does(q -> q.enqueue(TYPE, Refresh.of("k", "3"))))
                    .matches(e -> e.sqlState().equals("40001"))
                    .withCauseInstanceOf(java.sql.SQLException.class);
            caller.rollsBack();
            caller.executes("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            caller.does(q -> q.enqueue(TYPE, Refresh.of("k", "3")));
            caller.commits();
        }
        ReservedJob<Refresh> job = queue.reserve(TYPE, 1, LEASE).get(0);
        assertThat(job.payload().productIds()).containsExactly("1", "2", "3");
    }

    /** Completes only if the future fails. */
    private static CompletableFuture<Throwable> failureOf(CompletableFuture<?> future) {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        future.whenComplete((answer, error) -> {
            if (error != null) {
                failure.complete(error instanceof CompletionException e ? e.getCause() : error);
            }
        });
        return failure;
    }
}
