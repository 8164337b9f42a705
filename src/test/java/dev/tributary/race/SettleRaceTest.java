package dev.tributary.race;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.TYPE;
import static dev.tributary.support.Session.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.Requeued;
import dev.tributary.ReservedJob;
import dev.tributary.Settled;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import dev.tributary.support.Session;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A late holder and a rescuer settle the same job at the same moment: exactly one of them does. */
class SettleRaceTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();
    private ReservedJob<Refresh> late;

    @BeforeEach
    void reserveAndExpire() {
        queue.enqueue(TYPE, Refresh.of("k", "1"));
        late = queue.reserve(TYPE, 1, LEASE).get(0);
        database.expireLeases();
    }

    @ParameterizedTest
    @EnumSource
    void completeWaitsForTheRescuerAndLoses(Where where) {
        try (Session rescuer = database.session()) {
            assertThat(rescuer.does(q -> q.rescue(TYPE, 1)).jobs()).hasSize(1);
            CompletableFuture<Settled> complete = where.begins(database, q -> q.complete(late));
            rescuer.awaitBlocking();
            rescuer.commits();
            assertThat(result(complete)).isEqualTo(Settled.LEASE_LOST);
        }
        assertThat(database.job(late.id()).getStatus()).isEqualTo(JobStatus.PENDING);
    }

    @ParameterizedTest
    @EnumSource
    void requeueWaitsForTheRescuerAndMergesNothing(Where where) {
        long newer = queue.enqueue(TYPE, Refresh.of("k", "2")).jobId();
        try (Session rescuer = database.session()) {
            rescuer.does(q -> q.rescue(TYPE, 1));
            CompletableFuture<Requeued> requeue = where.begins(database, q -> q.requeue(late, "queue full"));
            rescuer.awaitBlocking();
            rescuer.commits();
            assertThat(result(requeue)).isEqualTo(new Requeued.LeaseLost(late.id()));
        }
        assertThat(database.job(newer).getMergeCount()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void completeWinsIfTheRescuerRollsBack(Where where) {
        try (Session rescuer = database.session()) {
            rescuer.does(q -> q.rescue(TYPE, 1));
            CompletableFuture<Settled> complete = where.begins(database, q -> q.complete(late));
            rescuer.awaitBlocking();
            rescuer.rollsBack();
            assertThat(result(complete)).isEqualTo(Settled.DONE);
        }
        assertThat(database.job(late.id()).getStatus()).isEqualTo(JobStatus.COMPLETED);
    }

    @Test
    void theRescuerPassesOverAJobThatIsBeingCompleted() {
        try (Session worker = database.session()) {
            worker.does(q -> q.complete(late));
            assertThat(queue.rescue(TYPE, 1).jobs()).isEmpty();
            worker.commits();
        }
        assertThat(queue.rescue(TYPE, 1).jobs()).isEmpty();
        assertThat(database.job(late.id()).getStatus()).isEqualTo(JobStatus.COMPLETED);
    }

    @Test
    void twoRescuersTakeDifferentJobs() {
        queue.enqueue(TYPE, Refresh.of("other", "1"));
        queue.reserve(TYPE, 1, LEASE);
        database.expireLeases();
        try (Session one = database.session()) {
            var first = one.does(q -> q.rescue(TYPE, 1)).jobs();
            var second = queue.rescue(TYPE, 10).jobs();
            assertThat(first).hasSize(1).doesNotContainAnyElementsOf(second);
            assertThat(second).hasSize(1);
            one.commits();
        }
        assertThat(database.jobs(JobStatus.PENDING)).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void oneOfTwoEqualRequeuesLoses(Where where) {
        try (Session one = database.session()) {
            one.does(q -> q.requeue(late, "queue full"));
            CompletableFuture<Requeued> two = where.begins(database, q -> q.requeue(late, "queue full"));
            one.awaitBlocking();
            one.commits();
            assertThat(result(two)).isEqualTo(new Requeued.LeaseLost(late.id()));
        }
        assertThat(database.jobs()).hasSize(1);
    }
}
