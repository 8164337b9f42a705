package dev.tributary;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.TYPE;
import static dev.tributary.support.Refresh.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.db.tables.records.JobsRecord;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import dev.tributary.support.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class EnqueueTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();

    @Test
    void insertsTheFirstOfAKeyAndMergesTheNext() {
        Enqueued first = queue.enqueue(TYPE, Refresh.of("c1", "p2", "p1"));
        Enqueued second = queue.enqueue(TYPE, Refresh.of("c1", "p3", "p1"));

        assertThat(first).isInstanceOf(Enqueued.Inserted.class);
        assertThat(second).isEqualTo(new Enqueued.Merged(first.jobId()));
        JobsRecord job = database.jobs().get(0);
        assertThat(database.jobs()).hasSize(1);
        assertThat(ids(job.getConfig().data())).containsExactly("p2", "p1", "p3");
        assertThat(job.getMergeCount()).isEqualTo(1);
        assertThat(job.getMergeKey()).isEqualTo("c1");
        assertThat(job.getStatus()).isEqualTo(JobStatus.PENDING);
        assertThat(job.getAttempts()).isZero();
    }

    @Test
    void keepsKeysAndTypesApart() {
        JobType<Refresh> stock = JobType.named("STOCK_REFRESH", Refresh.class)
                .onePendingPer(Refresh::catalogId)
                .merging(Merge.union("productIds"))
                .build();
        queue.enqueue(TYPE, Refresh.of("c1", "p1"));
        assertThat(queue.enqueue(TYPE, Refresh.of("c2", "p1"))).isInstanceOf(Enqueued.Inserted.class);
        assertThat(queue.enqueue(stock, Refresh.of("c1", "p1"))).isInstanceOf(Enqueued.Inserted.class);
    }

    @Test
    void neverMergesATypeWithoutAKey() {
        JobType<Refresh> single =
                JobType.named("SINGLE", Refresh.class).maxAttempts(3).build();
        assertThat(List.of(
                        queue.enqueue(single, Refresh.of("c1", "p1")), queue.enqueue(single, Refresh.of("c1", "p1"))))
                .allMatch(Enqueued.Inserted.class::isInstance);
        assertThat(database.jobs()).allMatch(job -> job.getMergeKey() == null && job.getMaxAttempts() == 3);
    }

    @Test
    void insertsBesideARunningJobOnce() {
        queue.enqueue(TYPE, Refresh.of("c1", "p0"));
        queue.reserve(TYPE, 1, LEASE);
        for (int i = 1; i <= 10; i++) {
            queue.enqueue(TYPE, Refresh.of("c1", "p" + i));
        }
        assertThat(database.jobs())
                .extracting(JobsRecord::getStatus)
                .containsExactly(JobStatus.RUNNING, JobStatus.PENDING);
        // A key may run twice at once: the reserved job and the newer one.
        assertThat(queue.reserve(TYPE, 10, LEASE)).hasSize(1);
    }

    @Nested
    class WithOptions {
        @Test
        void takesTheHigherPriority() {
            queue.enqueue(TYPE, Refresh.of("c1"), EnqueueOptions.defaults().priority(5));
            queue.enqueue(TYPE, Refresh.of("c1"), EnqueueOptions.defaults().priority(-3));
            assertThat(onlyJob().getPriority()).isEqualTo(5);
            queue.enqueue(TYPE, Refresh.of("c1"), EnqueueOptions.defaults().priority(7));
            assertThat(onlyJob().getPriority()).isEqualTo(7);
        }

        @Test
        void waitsForItsDelay() {
            queue.enqueue(TYPE, Refresh.of("c1"), EnqueueOptions.delayedBy(Duration.ofHours(1)));
            assertThat(queue.reserve(TYPE, 1, LEASE)).isEmpty();
            assertThat(onlyJob().getRunAt()).isCloseTo(Instant.now().plus(Duration.ofHours(1)), within1Minute());
        }

        @Test
        void neverDelaysAJobByMerging() {
            queue.enqueue(TYPE, Refresh.of("c1"));
            Instant due = onlyJob().getRunAt();
            queue.enqueue(TYPE, Refresh.of("c1"), EnqueueOptions.delayedBy(Duration.ofHours(1)));
            assertThat(onlyJob().getRunAt()).isEqualTo(due);
        }

        @Test
        void pullsADelayedJobForward() {
            queue.enqueue(TYPE, Refresh.of("c1"), EnqueueOptions.delayedBy(Duration.ofHours(1)));
            queue.enqueue(TYPE, Refresh.of("c1"));
            assertThat(queue.reserve(TYPE, 1, LEASE)).hasSize(1);
        }

        @Test
        void neverEndsTheBackoffOfARefusedJob() {
            queue.enqueue(TYPE, Refresh.of("c1", "p1"));
            queue.requeue(queue.reserve(TYPE, 1, LEASE).get(0), "queue full", Duration.ofHours(1));
            queue.enqueue(TYPE, Refresh.of("c1", "p2"));
            assertThat(queue.reserve(TYPE, 1, LEASE)).isEmpty();
            assertThat(ids(onlyJob().getConfig().data())).containsExactly("p1", "p2");
            assertThat(onlyJob().getAttempts()).isEqualTo(1);
        }
    }

    @Nested
    class WithACap {
        private final JobType<Refresh> small = JobType.named("SMALL", Refresh.class)
                .onePendingPer(Refresh::catalogId)
                .merging(Merge.union("productIds"))
                .maxPayloadBytes(100)
                .build();

        @Test
        void refusesToGrowAFullJobAndWritesNothing() throws SQLException {
            queue.enqueue(small, Refresh.of("c1", "0123456789", "123456789"));
            queue.enqueue(small, Refresh.of("c1", "3456789", "123456789", "456789", "x"));
            String before = onlyJob().getConfig().data();
            try (Session tx = database.session()) {
                assertThatExceptionOfType(PendingJobFull.class)
                        .isThrownBy(() -> tx.does(q -> q.enqueue(small, Refresh.of("c1", "9876543210"))))
                        .withMessageContaining("\"c1\"")
                        .withMessageContaining("100 bytes");
                assertThatExceptionOfType(PendingJobFull.class)
                        .isThrownBy(() -> tx.does(q ->
                                q.enqueueAll(small, List.of(Refresh.of("c0", "x"), Refresh.of("c1", "9876543210")))))
                        .withMessageContaining("payload of \"c1\" would");
                tx.<Enqueued>does(q -> q.enqueue(small, Refresh.of("c2", "x")));
                tx.commits();
            }
            assertThat(database.jobs()).hasSize(2);
            assertThat(database.jobs().get(0).getConfig().data()).isEqualTo(before);
        }

        @Test
        void acceptsAgainOnceTheFullJobIsReserved() {
            queue.enqueue(small, Refresh.of("c1", "0123456789", "123456789", "23456789"));
            assertThatExceptionOfType(PendingJobFull.class)
                    .isThrownBy(() -> queue.enqueue(small, Refresh.of("c1", "3456789", "456789", "56789")));
            queue.reserve(small, 1, LEASE);
            assertThat(queue.enqueue(small, Refresh.of("c1", "3456789", "456789", "56789")))
                    .isInstanceOf(Enqueued.Inserted.class);
        }

        @Test
        void neverRefusesARequeue() {
            queue.enqueue(small, Refresh.of("c1", "0123456789", "123456789", "23456789"));
            ReservedJob<Refresh> job = queue.reserve(small, 1, LEASE).get(0);
            queue.enqueue(small, Refresh.of("c1", "3456789", "456789", "56789", "6789", "789", "89", "9"));
            assertThat(queue.requeue(job, "queue full")).isInstanceOf(Requeued.MergedInto.class);
        }
    }

    @Nested
    class InTheCallersTransaction {
        @Test
        void isUndoneByARollback() {
            try (Session tx = database.session()) {
                tx.does(q -> q.enqueue(TYPE, Refresh.of("c1", "p1")));
                tx.rollsBack();
            }
            assertThat(database.jobs()).isEmpty();
        }

        @Test
        void isThereAfterACommitTogetherWithTheCallersData() {
            database.execute("CREATE TABLE public.events (id text PRIMARY KEY)");
            try (Session tx = database.session()) {
                tx.executes("INSERT INTO public.events VALUES ('e1')");
                tx.does(q -> q.enqueue(TYPE, Refresh.of("c1", "p1")));
                tx.commits();
            }
            assertThat(database.jobs()).hasSize(1);
            assertThat(database.<Integer>sql(db -> db.fetchCount(DSL.table("public.events"))))
                    .isEqualTo(1);
        }

        @Test
        void joinsAJooqTransaction() throws SQLException {
            try (Connection connection = database.connect()) {
                var host = DSL.using(connection, SQLDialect.POSTGRES);
                assertThatExceptionOfType(IllegalStateException.class)
                        .isThrownBy(() -> host.transaction(tx -> {
                            queue.within(tx.dsl()).enqueue(TYPE, Refresh.of("c1", "p1"));
                            throw new IllegalStateException("the caller changes its mind");
                        }));
                host.transaction(tx -> queue.within(tx.dsl()).enqueue(TYPE, Refresh.of("c2", "p1")));
            }
            assertThat(onlyJob().getMergeKey()).isEqualTo("c2");
        }
    }

    @Test
    void countsTimesByTheDatabaseClock() {
        Instant before = database.sql(db -> db.fetchSingle(DSL.currentInstant()).value1());
        queue.enqueue(TYPE, Refresh.of("c1"));
        Instant after = database.sql(db -> db.fetchSingle(DSL.currentInstant()).value1());
        assertThat(List.of(
                        onlyJob().getRunAt(),
                        onlyJob().getCreatedAt(),
                        onlyJob().getFirstEnqueuedAt()))
                .allMatch(time -> !time.isBefore(before) && !time.isAfter(after));
    }

    @Test
    void findsWhatWasEnqueued() {
        long id = queue.enqueue(
                        TYPE, Refresh.of("c1", "p1"), EnqueueOptions.defaults().priority(2))
                .jobId();
        Job job = queue.find(id).orElseThrow();
        assertThat(job.status()).isEqualTo(JobStatus.PENDING);
        assertThat(job.type()).isEqualTo("PRICE_REFRESH");
        assertThat(job.priority()).isEqualTo(2);
        assertThat(ids(job.payloadJson())).containsExactly("p1");
        assertThat(queue.find(id + 1)).isEmpty();
    }

    private static JobsRecord onlyJob() {
        assertThat(database.jobs()).hasSize(1);
        return database.jobs().get(0);
    }

    private static org.assertj.core.data.TemporalUnitOffset within1Minute() {
        return org.assertj.core.api.Assertions.within(1, ChronoUnit.MINUTES);
    }
}
