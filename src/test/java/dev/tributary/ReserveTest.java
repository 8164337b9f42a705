package dev.tributary;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import dev.tributary.support.Session;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ReserveTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();

    @Test
    void takesTheMostUrgentFirstAndNoMoreThanTheLimit() {
        enqueue("low", 0);
        enqueue("high", 9);
        enqueue("low-later", 0);
        enqueue("middle", 5);

        assertThat(queue.reserve(TYPE, 3, LEASE))
                .extracting(job -> job.payload().catalogId())
                .containsExactly("high", "middle", "low");
        assertThat(queue.reserve(TYPE, 3, LEASE))
                .extracting(job -> job.payload().catalogId())
                .containsExactly("low-later");
        assertThat(queue.reserve(TYPE, 3, LEASE)).isEmpty();
    }

    @Test
    void tellsAllAboutTheReservation() {
        long id = queue.enqueue(
                        TYPE, Refresh.of("c1", "p1"), EnqueueOptions.defaults().priority(4))
                .jobId();
        queue.enqueue(TYPE, Refresh.of("c1", "p2"));

        ReservedJob<Refresh> job =
                queue.reserve(TYPE, 1, Duration.ofMinutes(10)).get(0);

        assertThat(job.id()).isEqualTo(id);
        assertThat(job.type()).isSameAs(TYPE);
        assertThat(job.mergeKey()).contains("c1");
        assertThat(job.payload()).isEqualTo(Refresh.of("c1", "p1", "p2"));
        assertThat(job.payloadJson()).contains("p1", "p2");
        assertThat(job.attempt()).isEqualTo(1);
        assertThat(job.maxAttempts()).isEqualTo(10);
        assertThat(job.priority()).isEqualTo(4);
        assertThat(job.mergeCount()).isEqualTo(1);
        assertThat(job.leaseUntil())
                .isCloseTo(
                        Instant.now().plus(Duration.ofMinutes(10)),
                        org.assertj.core.api.Assertions.within(1, ChronoUnit.MINUTES));
        var row = database.job(id);
        assertThat(row.getStatus()).isEqualTo(JobStatus.RUNNING);
        assertThat(row.getLockToken()).isEqualTo(job.lockToken());
        assertThat(row.getLeaseUntil()).isEqualTo(job.leaseUntil());
        assertThat(row.getLockedBy()).contains("@");
        assertThat(job.firstEnqueuedAt()).isEqualTo(row.getFirstEnqueuedAt());
    }

    @Test
    void givesEachJobATokenOfItsOwn() {
        queue.enqueueAll(TYPE, List.of(Refresh.of("a"), Refresh.of("b"), Refresh.of("c")));
        assertThat(queue.reserve(TYPE, 10, LEASE))
                .extracting(ReservedJob::lockToken)
                .doesNotHaveDuplicates()
                .hasSize(3);
    }

    @Test
    void takesOnlyItsType() {
        queue.enqueue(JobType.named("OTHER", Refresh.class).build(), Refresh.of("c1"));
        assertThat(queue.reserve(TYPE, 10, LEASE)).isEmpty();
    }

    @Test
    void passesOverWhatAnotherTransactionReserves() {
        queue.enqueueAll(TYPE, List.of(Refresh.of("a"), Refresh.of("b")));
        try (Session one = database.session()) {
            long first = one.does(q -> q.reserve(TYPE, 1, LEASE)).get(0).id();
            assertThat(queue.reserve(TYPE, 10, LEASE))
                    .extracting(ReservedJob::id)
                    .hasSize(1)
                    .doesNotContain(first);
        }
    }

    @Test
    void givesBackWhatItsTransactionDidNotCommit() {
        queue.enqueue(TYPE, Refresh.of("a"));
        try (Session one = database.session()) {
            one.does(q -> q.reserve(TYPE, 1, LEASE));
            one.rollsBack();
        }
        assertThat(queue.reserve(TYPE, 1, LEASE))
                .extracting(ReservedJob::attempt)
                .containsExactly(1);
    }

    @Test
    void keepsAPayloadThatCannotBeDecodedAndItsNeighbours() {
        JobType<Refresh> old = JobType.named("EVOLVED", Refresh.class).build();
        record Evolved(String catalogId, int productIds) {}
        JobType<Evolved> current = JobType.named("EVOLVED", Evolved.class).build();
        queue.enqueue(old, Refresh.of("c1", "p1"));
        queue.enqueue(current, new Evolved("c2", 7));

        List<ReservedJob<Evolved>> jobs = queue.reserve(current, 10, LEASE);

        assertThat(jobs.get(1).payload()).isEqualTo(new Evolved("c2", 7));
        assertThatExceptionOfType(InvalidPayload.class)
                .isThrownBy(jobs.get(0)::payload)
                .withMessageContaining("EVOLVED job " + jobs.get(0).id())
                .havingCause();
        // Refused and counted, the payload untouched: it runs once the class fits again.
        assertThat(queue.requeue(jobs.get(0), "not decodable", Duration.ZERO)).isInstanceOf(Requeued.Returned.class);
        ReservedJob<Refresh> again = queue.reserve(old, 1, LEASE).get(0);
        assertThat(again.payload()).isEqualTo(Refresh.of("c1", "p1"));
        assertThat(again.attempt()).isEqualTo(2);
    }

    private void enqueue(String key, int priority) {
        queue.enqueue(TYPE, Refresh.of(key), EnqueueOptions.defaults().priority(priority));
    }
}
