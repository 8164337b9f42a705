package dev.tributary.race;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.TYPE;
import static dev.tributary.support.Refresh.ids;
import static dev.tributary.support.Session.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.Enqueued;
import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.Requeued;
import dev.tributary.ReservedJob;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import dev.tributary.support.Session;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** R(1) is refused and would merge into P(2), whose row another transaction holds. */
class MergeTargetTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue others = database.queue();
    private ReservedJob<Refresh> refused;
    private long target;

    @BeforeEach
    void reserveAndEnqueue() {
        others.enqueue(TYPE, Refresh.of("k", "1"));
        refused = others.reserve(TYPE, 1, LEASE).get(0);
        target = others.enqueue(TYPE, Refresh.of("k", "2")).jobId();
    }

    @ParameterizedTest
    @EnumSource
    void isReservedWhileTheMergeWaits(Where where) {
        try (Session other = database.session()) {
            other.does(q -> q.reserve(TYPE, 1, LEASE));
            CompletableFuture<Requeued> requeue = where.begins(database, q -> q.requeue(refused, "queue full"));
            other.awaitBlocking();
            other.commits();
            assertThat(result(requeue)).isEqualTo(new Requeued.Returned(refused.id()));
        }
        assertPending(refused.id(), "1");
        assertThat(ids(database.job(target).getConfig().data())).containsExactly("2");
    }

    @ParameterizedTest
    @EnumSource
    void isReservedWhileTheMergeWaitsAndAThirdEnqueueLandsBeforeItCommits(Where where) {
        long third;
        try (Session other = database.session()) {
            other.does(q -> q.reserve(TYPE, 1, LEASE));
            third = other.does(q -> q.enqueue(TYPE, Refresh.of("k", "3"))).jobId();
            CompletableFuture<Requeued> requeue = where.begins(database, q -> q.requeue(refused, "queue full"));
            other.awaitBlocking();
            other.commits();
            assertThat(result(requeue)).isEqualTo(new Requeued.MergedInto(refused.id(), third));
        }
        assertPending(third, "1", "3");
        assertThat(ids(database.job(target).getConfig().data())).containsExactly("2");
    }

    @ParameterizedTest
    @EnumSource
    void isReservedWhileTheMergeAndAThirdEnqueueWait(Where where) {
        try (Session other = database.session();
                Session producer = database.session()) {
            other.does(q -> q.reserve(TYPE, 1, LEASE));
            CompletableFuture<Requeued> requeue = where.begins(database, q -> q.requeue(refused, "queue full"));
            CompletableFuture<Enqueued> third = producer.begins(q -> q.enqueue(TYPE, Refresh.of("k", "3")));
            producer.awaitBlockedBy(other);
            other.awaitBlocking();
            other.commits();
            result(third);
            producer.commits();
            result(requeue);
        }
        // Whoever was first, the ids of both are in the one PENDING job.
        assertThat(database.jobs(JobStatus.PENDING)).hasSize(1);
        assertThat(ids(database.jobs(JobStatus.PENDING).get(0).getConfig().data()))
                .containsExactlyInAnyOrder("1", "3");
        assertThat(ids(database.job(target).getConfig().data())).containsExactly("2");
    }

    @ParameterizedTest
    @EnumSource
    void isReservedWhileTheMergeWaitsButTheReservationIsRolledBack(Where where) {
        try (Session other = database.session()) {
            other.does(q -> q.reserve(TYPE, 1, LEASE));
            CompletableFuture<Requeued> requeue = where.begins(database, q -> q.requeue(refused, "queue full"));
            other.awaitBlocking();
            other.rollsBack();
            assertThat(result(requeue)).isEqualTo(new Requeued.MergedInto(refused.id(), target));
        }
        assertPending(target, "1", "2");
    }

    @ParameterizedTest
    @EnumSource
    void isGrownByAnEnqueueThatTheMergeWaitsFor(Where where) {
        try (Session producer = database.session()) {
            producer.does(q -> q.enqueue(TYPE, Refresh.of("k", "3")));
            CompletableFuture<Requeued> requeue = where.begins(database, q -> q.requeue(refused, "queue full"));
            producer.awaitBlocking();
            producer.commits();
            assertThat(result(requeue)).isEqualTo(new Requeued.MergedInto(refused.id(), target));
        }
        assertPending(target, "1", "2", "3");
    }

    @Test
    void isMergedIntoAndRolledBackWhileAnEnqueueWaits() {
        try (Session worker = database.session();
                Session producer = database.session()) {
            worker.does(q -> q.requeue(refused, "queue full"));
            CompletableFuture<Enqueued> third = producer.begins(q -> q.enqueue(TYPE, Refresh.of("k", "3")));
            producer.awaitBlockedBy(worker);
            worker.rollsBack();
            assertThat(result(third)).isEqualTo(new Enqueued.Merged(target));
            producer.commits();
        }
        assertPending(target, "2", "3");
        assertThat(database.job(refused.id()).getStatus()).isEqualTo(JobStatus.RUNNING);
    }

    @ParameterizedTest
    @EnumSource
    void takesTwoRefusedJobsOneAfterTheOther(Where where) {
        ReservedJob<Refresh> second = others.reserve(TYPE, 1, LEASE).get(0);
        long newest = others.enqueue(TYPE, Refresh.of("k", "3")).jobId();
        try (Session first = database.session()) {
            assertThat(first.<Requeued>does(q -> q.requeue(refused, "queue full")))
                    .isEqualTo(new Requeued.MergedInto(refused.id(), newest));
            CompletableFuture<Requeued> other = where.begins(database, q -> q.requeue(second, "queue full"));
            first.awaitBlocking();
            first.commits();
            assertThat(result(other)).isEqualTo(new Requeued.MergedInto(second.id(), newest));
        }
        assertThat(database.jobs(JobStatus.PENDING)).hasSize(1);
        List<String> ids = ids(database.job(newest).getConfig().data());
        assertThat(ids).containsExactlyInAnyOrder("1", "2", "3").endsWith("3");
    }

    private static void assertPending(long id, String... ids) {
        assertThat(database.jobs(JobStatus.PENDING))
                .extracting(job -> job.getId())
                .containsExactly(id);
        assertThat(ids(database.job(id).getConfig().data())).containsExactly(ids);
    }
}
