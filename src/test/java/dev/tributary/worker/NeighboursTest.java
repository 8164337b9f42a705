package dev.tributary.worker;

import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.Backoff;
import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.JobType;
import dev.tributary.support.Database;
import dev.tributary.support.Gate;
import dev.tributary.support.Refresh;
import dev.tributary.support.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

/** What always goes wrong with one job or type does not keep the others from being taken, handled and settled. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NeighboursTest {
    private static final JobType<Refresh> BAD = Refresh.type("BAD", Backoff.none());

    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();
    private final Ends ends = new Ends();

    @Test
    void areHandledThoughATypeCannotBeReserved() {
        queue.enqueue(BAD, Refresh.of("b", "1"));
        queue.enqueueAll(TYPE, eight());
        refuse("new.status = 'RUNNING'");
        try (Worker worker = handlingBoth(queue).build()) {
            worker.start();
            ends.await(8);
            ends.awaitTrouble();
        }
        assertThat(database.jobs(JobStatus.COMPLETED)).hasSize(8).allMatch(job -> job.getAttempts() == 1);
    }

    @Test
    void areRescuedThoughATypeCannotBeRescued() {
        queue.enqueue(BAD, Refresh.of("b", "1"));
        queue.reserve(BAD, 1, Refresh.LEASE);
        queue.enqueueAll(TYPE, eight());
        queue.reserve(TYPE, 8, Refresh.LEASE);
        database.expireLeases();
        refuse("old.status = 'RUNNING'");
        try (Worker worker =
                handlingBoth(queue).rescueEvery(Duration.ofMillis(100)).build()) {
            worker.start();
            ends.await(8);
        }
        assertThat(database.jobs(JobStatus.RUNNING))
                .extracting(job -> job.getType())
                .containsExactly("BAD");
    }

    @Test
    void areHandledThoughTheWaitForALockedOneHitsAStatementTimeout() {
        queue.enqueue(TYPE, Refresh.of("hot", "1"));
        database.makeDue();
        queue.enqueueAll(TYPE, eight());
        try (Session producer = database.session();
                Worker worker = handlingBoth(impatient()).build()) {
            producer.does(q -> q.enqueue(TYPE, Refresh.of("hot", "2")));
            worker.start();
            ends.await(8);
            producer.awaitBlocking();
            queue.enqueueAll(TYPE, eight());
            ends.await(16);
        }
    }

    @Test
    void areSettledThoughOneAlwaysHitsAStatementTimeout() {
        JobType<Refresh> picky = Refresh.type("PICKY", Backoff.fixed(Duration.ofHours(1)));
        queue.enqueue(picky, Refresh.of("slow", "1"));
        database.onUpdate("new.status = 'PENDING' AND new.merge_key = 'slow'", "PERFORM pg_sleep(60)");
        try (Worker worker = handlingBoth(impatient())
                .handle(picky, job -> Outcome.refused("busy"))
                .build()) {
            worker.start();
            ends.awaitTrouble();
            queue.enqueueAll(picky, eight());
            queue.enqueueAll(TYPE, eight());
            ends.await(8);
            ends.awaitPutBack(8);
            database.awaitRenewal(database.jobs().get(0).getId());
        }
    }

    @Test
    void areHandledInARoundOnTheCallersThreadThoughOneCannotBeSettled() {
        queue.enqueueAll(TYPE, eight());
        // One rescues, one reserves, each settles; it is the second that cannot.
        JobQueue cut = JobQueue.on(Gate.beforeConnection(4, database.dataSource(), () -> {
            throw new SQLException("cut", "08006");
        }));
        Worker worker = Worker.on(cut).handle(TYPE, job -> Outcome.done()).build();
        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(worker::runOnce)
                .satisfies(e -> assertThat(e.sqlState()).isEqualTo("08006"));
        assertThat(database.jobs(JobStatus.COMPLETED)).hasSize(7);
        assertThat(database.jobs(JobStatus.RUNNING)).hasSize(1);
    }

    private Worker.Builder handlingBoth(JobQueue on) {
        return Worker.on(on)
                .handle(BAD, job -> Outcome.done())
                .handle(TYPE, job -> Outcome.done())
                .lease(Duration.ofSeconds(1))
                .closeWithin(Duration.ZERO)
                .listener(ends);
    }

    private static JobQueue impatient() {
        PGSimpleDataSource impatient = database.dataSource();
        impatient.setOptions("-c statement_timeout=200");
        return JobQueue.on(impatient);
    }

    private static void refuse(String when) {
        database.onUpdate("new.type = 'BAD' AND " + when, "RAISE EXCEPTION 'not with us'");
    }

    private static List<Refresh> eight() {
        return IntStream.range(0, 8).mapToObj(i -> Refresh.of("c" + i, "1")).toList();
    }
}
