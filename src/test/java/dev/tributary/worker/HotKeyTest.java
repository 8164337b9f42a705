package dev.tributary.worker;

import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.Reservations;
import dev.tributary.ReservedJob;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import dev.tributary.support.Session;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

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
