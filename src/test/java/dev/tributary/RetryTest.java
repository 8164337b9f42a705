package dev.tributary;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.TYPE;
import static dev.tributary.support.Refresh.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import dev.tributary.support.Session;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RetryTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();

    @Test
    void returnsAFailedJobWithAllItsAttempts() {
        long id = failed("c1", "p1");
        assertThat(queue.retry(TYPE, id)).contains(new Requeued.Returned(id));
        ReservedJob<Refresh> job = queue.reserve(TYPE, 1, LEASE).get(0);
        assertThat(job.id()).isEqualTo(id);
        assertThat(job.attempt()).isEqualTo(1);
        assertThat(job.payload()).isEqualTo(Refresh.of("c1", "p1"));
        assertThat(database.job(id).getLastError()).isEqualTo("no such catalogue");
        assertThat(database.job(id).getFinishedAt()).isNull();
        assertThat(database.job(id).getDurationMs()).isNull();
    }

    @Test
    void mergesIntoTheJobThatIsPendingMeanwhile() {
        long id = failed("c1", "p1");
        long newer = queue.enqueue(TYPE, Refresh.of("c1", "p2")).jobId();
        assertThat(queue.retry(TYPE, id)).contains(new Requeued.MergedInto(id, newer));
        assertThat(ids(database.job(newer).getConfig().data())).containsExactly("p1", "p2");
        assertThat(database.job(id).getMergedIntoJobId()).isEqualTo(newer);
        assertThat(database.job(newer).getAttempts()).isZero();
    }

    @Test
    void isDueAtOnceThoughItMergesIntoAJobScheduledAhead() {
        long id = failed("c1", "p1");
        queue.enqueue(TYPE, Refresh.of("c1", "p2"), EnqueueOptions.delayedBy(Duration.ofDays(30)));
        queue.retry(TYPE, id);
        assertThat(queue.reserve(TYPE, 1, LEASE)).hasSize(1);
    }

    @Test
    void leavesTheJobFailedIfItCannotBePutBack() {
        long id = failed("c1", "p1");
        queue.enqueue(TYPE, Refresh.of("c1", "p2"));
        JobType<Refresh> unmergeable = JobType.named(TYPE.name(), Refresh.class)
                .onePendingPer(Refresh::catalogId)
                .merging((older, newer) -> DSL.function("no_such_function", SQLDataType.JSONB, older, newer))
                .build();
        assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> queue.retry(unmergeable, id));
        assertThat(database.job(id).getStatus()).isEqualTo(JobStatus.FAILED);
    }

    @Test
    void knowsOnlyFailedJobsOfTheType() {
        long id = failed("c1", "p1");
        assertThat(queue.retry(JobType.named("OTHER", Refresh.class).build(), id))
                .isEmpty();
        assertThat(queue.retry(TYPE, id + 1000)).isEmpty();
        queue.retry(TYPE, id);
        assertThat(queue.retry(TYPE, id)).isEmpty();
        queue.complete(queue.reserve(TYPE, 1, LEASE).get(0));
        assertThat(queue.retry(TYPE, id)).isEmpty();
    }

    @Test
    void worksInTheCallersTransaction() {
        long id = failed("c1", "p1");
        try (Session tx = database.session()) {
            Optional<Requeued> answer = tx.does(q -> q.retry(TYPE, id));
            assertThat(answer).contains(new Requeued.Returned(id));
            tx.rollsBack();
            assertThat(database.job(id).getStatus()).isEqualTo(JobStatus.FAILED);
            tx.does(q -> q.retry(TYPE, id));
            tx.commits();
        }
        assertThat(database.jobs(JobStatus.PENDING)).hasSize(1);
    }

    @Test
    void collapsesFailedJobsOfOneKey() {
        long one = failed("c1", "p1");
        long two = failed("c1", "p2");
        assertThat(List.of(
                        queue.retry(TYPE, one).orElseThrow(),
                        queue.retry(TYPE, two).orElseThrow()))
                .containsExactly(new Requeued.Returned(one), new Requeued.MergedInto(two, one));
        assertThat(ids(database.job(one).getConfig().data())).containsExactlyInAnyOrder("p1", "p2");
    }

    private long failed(String key, String... ids) {
        queue.enqueue(TYPE, Refresh.of(key, ids));
        ReservedJob<Refresh> job = queue.reserve(TYPE, 1, LEASE).get(0);
        queue.fail(job, "no such catalogue");
        return job.id();
    }
}
