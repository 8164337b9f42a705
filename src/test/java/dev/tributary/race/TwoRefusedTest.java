package dev.tributary.race;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.TYPE;
import static dev.tributary.support.Refresh.ids;
import static dev.tributary.support.Session.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.Requeued;
import dev.tributary.ReservedJob;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import dev.tributary.support.Session;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** R(1) and R(2) of one key are refused at the same moment, and no job of the key is pending. */
class TwoRefusedTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private ReservedJob<Refresh> one;
    private ReservedJob<Refresh> two;

    @BeforeEach
    void reserveTwo() {
        JobQueue queue = database.queue();
        queue.enqueue(TYPE, Refresh.of("k", "1"));
        one = queue.reserve(TYPE, 1, LEASE).get(0);
        queue.enqueue(TYPE, Refresh.of("k", "2"));
        two = queue.reserve(TYPE, 1, LEASE).get(0);
    }

    @ParameterizedTest
    @EnumSource
    void theSecondMergesIntoTheFirstIfThatCommits(Where where) {
        try (Session first = database.session()) {
            assertThat(first.<Requeued>does(q -> q.requeue(one, "queue full")))
                    .isEqualTo(new Requeued.Returned(one.id()));
            CompletableFuture<Requeued> second = where.begins(database, q -> q.requeue(two, "queue full"));
            first.awaitBlocking();
            first.commits();
            assertThat(result(second)).isEqualTo(new Requeued.MergedInto(two.id(), one.id()));
        }
        assertThat(database.jobs(JobStatus.PENDING)).hasSize(1);
        assertThat(ids(database.job(one.id()).getConfig().data())).containsExactlyInAnyOrder("1", "2");
    }

    @ParameterizedTest
    @EnumSource
    void theSecondReturnsIfTheFirstRollsBack(Where where) {
        try (Session first = database.session()) {
            first.does(q -> q.requeue(one, "queue full"));
            CompletableFuture<Requeued> second = where.begins(database, q -> q.requeue(two, "queue full"));
            first.awaitBlocking();
            first.rollsBack();
            assertThat(result(second)).isEqualTo(new Requeued.Returned(two.id()));
        }
        assertThat(database.jobs(JobStatus.PENDING))
                .extracting(job -> ids(job.getConfig().data()).get(0))
                .containsExactly("2");
        assertThat(database.job(one.id()).getStatus()).isEqualTo(JobStatus.RUNNING);
    }
}
