package dev.tributary;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.TYPE;
import static dev.tributary.support.Refresh.ids;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.db.tables.records.JobsRecord;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jooq.JSONB;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RequeueTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();

    @Nested
    class WithoutANewerJob {
        @Test
        void returnsTheJobUnderItsOwnId() {
            ReservedJob<Refresh> job = reserved("c1", "p1", "p2");

            assertThat(queue.requeue(job, "queue full")).isEqualTo(new Requeued.Returned(job.id()));

            JobsRecord row = onlyJob();
            assertThat(row.getId()).isEqualTo(job.id());
            assertThat(row.getStatus()).isEqualTo(JobStatus.PENDING);
            assertThat(row.getLockToken()).isNull();
            assertThat(row.getLeaseUntil()).isNull();
            assertThat(row.getStartedAt()).isNull();
            assertThat(row.getLastError()).isEqualTo("queue full");
            assertThat(row.getAttempts()).isEqualTo(1);
            assertThat(ids(row.getConfig().data())).containsExactly("p1", "p2");
            assertThat(queue.reserve(TYPE, 1, LEASE))
                    .extracting(ReservedJob::attempt)
                    .containsExactly(2);
        }

        @Test
        void waitsForTheDelay() {
            queue.requeue(reserved("c1"), "queue full", Duration.ofHours(1));
            assertThat(queue.reserve(TYPE, 1, LEASE)).isEmpty();
            assertThat(onlyJob().getRunAt())
                    .isBetween(Instant.now().plusSeconds(3500), Instant.now().plusSeconds(3700));
        }

        @Test
        void waitsForTheBackoffOfItsType() {
            JobType<Refresh> slow = JobType.named("SLOW", Refresh.class)
                    .backoff(attempt -> Duration.ofHours(attempt))
                    .build();
            queue.enqueue(slow, Refresh.of("c1"));
            queue.requeue(queue.reserve(slow, 1, LEASE).get(0), "queue full");
            database.makeDue();
            queue.requeue(queue.reserve(slow, 1, LEASE).get(0), "queue full");
            assertThat(onlyJob().getRunAt())
                    .isBetween(Instant.now().plusSeconds(7100), Instant.now().plusSeconds(7300));
        }

        @Test
        void leavesAPendingJobOfAnotherKeyOrTypeAlone() {
            JobType<Refresh> stock = JobType.named("STOCK", Refresh.class)
                    .onePendingPer(Refresh::catalogId)
                    .merging(Merge.union("productIds"))
                    .build();
            ReservedJob<Refresh> job = reserved("c1", "p1");
            queue.enqueue(TYPE, Refresh.of("c2", "p2"));
            queue.enqueue(stock, Refresh.of("c1", "p3"));
            List<JobsRecord> others = database.jobs(JobStatus.PENDING);

            assertThat(queue.requeue(job, "queue full")).isInstanceOf(Requeued.Returned.class);

            assertThat(database.jobs(JobStatus.PENDING)).hasSize(3).containsAll(others);
        }
    }

    @Nested
    class WithANewerJob {
        @Test
        void mergesOldestIdsFirstAndClosesTheRefusedJob() {
            ReservedJob<Refresh> job = reserved("c1", "p1", "p2");
            long newer = queue.enqueue(TYPE, Refresh.of("c1", "p3", "p1")).jobId();

            assertThat(queue.requeue(job, "queue full")).isEqualTo(new Requeued.MergedInto(job.id(), newer));

            JobsRecord pending = database.job(newer);
            assertThat(ids(pending.getConfig().data())).containsExactly("p1", "p2", "p3");
            assertThat(pending.getStatus()).isEqualTo(JobStatus.PENDING);
            assertThat(pending.getAttempts()).isEqualTo(1);
            assertThat(pending.getMergeCount()).isEqualTo(1);
            assertThat(pending.getLastError()).isEqualTo("queue full");
            assertThat(pending.getFirstEnqueuedAt()).isEqualTo(job.firstEnqueuedAt());

            JobsRecord closed = database.job(job.id());
            assertThat(closed.getStatus()).isEqualTo(JobStatus.COMPLETED);
            assertThat(closed.getMergedIntoJobId()).isEqualTo(newer);
            assertThat(closed.getResult())
                    .isEqualTo(JSONB.valueOf("{\"reason\": \"queue full\", \"mergedIntoJobId\": " + newer + "}"));
            assertThat(closed.getFinishedAt()).isNotNull();
            assertThat(ids(closed.getConfig().data())).containsExactly("p1", "p2");
        }

        @Test
        void makesTheKeyWaitForTheDelay() {
            ReservedJob<Refresh> job = reserved("c1", "p1");
            queue.enqueue(TYPE, Refresh.of("c1", "p2"));
            queue.requeue(job, "queue full", Duration.ofHours(1));
            assertThat(queue.reserve(TYPE, 1, LEASE)).isEmpty();
        }

        @Test
        void neverPullsANewerJobForward() {
            ReservedJob<Refresh> job = reserved("c1", "p1");
            queue.enqueue(TYPE, Refresh.of("c1", "p2"), EnqueueOptions.delayedBy(Duration.ofHours(1)));
            queue.requeue(job, "queue full", Duration.ZERO);
            assertThat(queue.reserve(TYPE, 1, LEASE)).isEmpty();
        }

        @Test
        void takesTheHigherPriorityAndCountsAllThatFlowedIn() {
            queue.enqueue(
                    TYPE, Refresh.of("c1", "p1"), EnqueueOptions.defaults().priority(3));
            queue.enqueue(TYPE, Refresh.of("c1", "p2"));
            ReservedJob<Refresh> job = queue.reserve(TYPE, 1, LEASE).get(0);
            long newer = queue.enqueue(TYPE, Refresh.of("c1", "p3")).jobId();
            queue.enqueue(TYPE, Refresh.of("c1", "p4"));
            queue.requeue(job, "queue full");
            assertThat(database.job(newer).getPriority()).isEqualTo(3);
            assertThat(database.job(newer).getMergeCount()).isEqualTo(3);
        }
    }

    @Nested
    class AtTheLimitOfAttempts {
        private final JobType<Refresh> twice = JobType.named("TWICE", Refresh.class)
                .onePendingPer(Refresh::catalogId)
                .merging(Merge.union("productIds"))
                .maxAttempts(2)
                .backoff(Backoff.none())
                .build();

        @Test
        void failsTheJobWithItsIds() {
            queue.enqueue(twice, Refresh.of("c1", "p1"));
            queue.requeue(queue.reserve(twice, 1, LEASE).get(0), "queue full");
            ReservedJob<Refresh> last = queue.reserve(twice, 1, LEASE).get(0);

            assertThat(queue.requeue(last, "queue full")).isEqualTo(new Requeued.Exhausted(last.id()));

            assertThat(onlyJob().getStatus()).isEqualTo(JobStatus.FAILED);
            assertThat(onlyJob().getLastError()).isEqualTo("queue full");
            assertThat(ids(onlyJob().getConfig().data())).containsExactly("p1");
        }

        @Test
        void isReachedThoughTheJobMergesEachTime() {
            queue.enqueue(twice, Refresh.of("c1", "p1"));
            ReservedJob<Refresh> first = queue.reserve(twice, 1, LEASE).get(0);
            queue.enqueue(twice, Refresh.of("c1", "p2"));
            queue.requeue(first, "queue full");
            ReservedJob<Refresh> second = queue.reserve(twice, 1, LEASE).get(0);
            assertThat(second.attempt()).isEqualTo(2);
            queue.enqueue(twice, Refresh.of("c1", "p3"));

            assertThat(queue.requeue(second, "queue full")).isInstanceOf(Requeued.Exhausted.class);

            assertThat(ids(database.job(second.id()).getConfig().data())).containsExactly("p1", "p2");
            assertThat(database.jobs(JobStatus.PENDING))
                    .extracting(job -> ids(job.getConfig().data()))
                    .containsExactly(List.of("p3"));
        }

        @Test
        void isNotMovedByEnqueues() {
            queue.enqueue(twice, Refresh.of("c1", "p1"));
            queue.requeue(queue.reserve(twice, 1, LEASE).get(0), "queue full");
            queue.enqueue(twice, Refresh.of("c1", "p2"));
            assertThat(queue.reserve(twice, 1, LEASE))
                    .extracting(ReservedJob::attempt)
                    .containsExactly(2);
        }
    }

    @Test
    void dropsTheKeyOfATypeThatMergesNoMore() {
        ReservedJob<Refresh> job = reserved("c1", "p1");
        queue.enqueue(TYPE, Refresh.of("c1", "p2"));
        JobType<Refresh> unkeyed = JobType.named("PRICE_REFRESH", Refresh.class)
                .backoff(Backoff.none())
                .build();
        database.expireLeases();
        assertThat(queue.rescue(unkeyed, 1).jobs()).containsExactly(new Requeued.Returned(job.id()));
        assertThat(database.job(job.id()).getMergeKey()).isNull();
    }

    private ReservedJob<Refresh> reserved(String key, String... ids) {
        queue.enqueue(TYPE, Refresh.of(key, ids));
        return queue.reserve(TYPE, 1, LEASE).get(0);
    }

    private static JobsRecord onlyJob() {
        assertThat(database.jobs()).hasSize(1);
        return database.jobs().get(0);
    }
}
