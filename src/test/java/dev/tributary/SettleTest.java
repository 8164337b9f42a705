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
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Complete, fail and renew: the writes of the holder. */
class SettleTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();

    @Test
    void completesWithAResult() {
        ReservedJob<Refresh> job = reserved("c1", "p1");
        assertThat(queue.complete(job, Map.of("prices", 12))).isEqualTo(Settled.DONE);
        JobsRecord row = database.job(job.id());
        assertThat(row.getStatus()).isEqualTo(JobStatus.COMPLETED);
        assertThat(row.getResult().data()).isEqualTo("{\"prices\": 12}");
        assertThat(row.getFinishedAt()).isNotNull();
        assertThat(row.getDurationMs()).isNotNegative();
        assertThat(row.getLockToken()).isNull();
        assertThat(row.getLeaseUntil()).isNull();
        assertThat(row.getLockedBy()).isNotNull();
        assertThat(ids(row.getConfig().data())).containsExactly("p1");
    }

    @Test
    void completesWithoutAResult() {
        ReservedJob<Refresh> job = reserved("c1", "p1");
        assertThat(queue.complete(job)).isEqualTo(Settled.DONE);
        assertThat(database.job(job.id()).getResult()).isNull();
    }

    @Test
    void leavesNewerWorkOfTheKeyAlone() {
        ReservedJob<Refresh> job = reserved("c1", "p1");
        long newer = queue.enqueue(TYPE, Refresh.of("c1", "p2")).jobId();
        queue.complete(job);
        assertThat(database.job(newer).getStatus()).isEqualTo(JobStatus.PENDING);
        assertThat(queue.reserve(TYPE, 1, LEASE).get(0).payload()).isEqualTo(Refresh.of("c1", "p2"));
    }

    @Test
    void failsWithThePayloadKept() {
        ReservedJob<Refresh> job = reserved("c1", "p1");
        assertThat(queue.fail(job, "no such catalogue")).isEqualTo(Settled.DONE);
        JobsRecord row = database.job(job.id());
        assertThat(row.getStatus()).isEqualTo(JobStatus.FAILED);
        assertThat(row.getLastError()).isEqualTo("no such catalogue");
        assertThat(ids(row.getConfig().data())).containsExactly("p1");
    }

    @Test
    void renewsTheLeaseFromNow() {
        ReservedJob<Refresh> job = reserved("c1", "p1");
        assertThat(queue.renew(job, Duration.ofHours(2))).isEqualTo(Settled.DONE);
        assertThat(database.job(job.id()).getLeaseUntil())
                .isAfter(Instant.now().plus(Duration.ofMinutes(110)))
                .isBefore(Instant.now().plus(Duration.ofMinutes(130)));
    }

    static Stream<Arguments> settlements() {
        BiFunction<JobQueue, ReservedJob<?>, Object> complete = JobQueue::complete;
        BiFunction<JobQueue, ReservedJob<?>, Object> fail = (queue, job) -> queue.fail(job, "late");
        BiFunction<JobQueue, ReservedJob<?>, Object> renew = (queue, job) -> queue.renew(job, LEASE);
        BiFunction<JobQueue, ReservedJob<?>, Object> requeue = (queue, job) -> queue.requeue(job, "late");
        return Stream.of(
                        Named.of("complete", complete),
                        Named.of("fail", fail),
                        Named.of("renew", renew),
                        Named.of("requeue", requeue))
                .map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("settlements")
    void changesNothingAfterTheLeaseWasLost(BiFunction<JobQueue, ReservedJob<?>, Object> settlement) {
        ReservedJob<Refresh> late = reserved("c1", "p1");
        database.expireLeases();
        queue.rescue(TYPE, 10);
        // Somebody else holds the same row now, and newer work of the key waits.
        queue.reserve(TYPE, 1, LEASE);
        queue.enqueue(TYPE, Refresh.of("c1", "p2"));
        List<JobsRecord> before = database.jobs();

        Object answer = settlement.apply(queue, late);

        assertThat(answer).isIn(Settled.LEASE_LOST, new Requeued.LeaseLost(late.id()));
        assertThat(database.jobs()).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("settlements")
    void changesNothingTheSecondTime(BiFunction<JobQueue, ReservedJob<?>, Object> settlement) {
        ReservedJob<Refresh> job = reserved("c1", "p1");
        queue.complete(job);
        List<JobsRecord> before = database.jobs();
        assertThat(settlement.apply(queue, job)).isIn(Settled.LEASE_LOST, new Requeued.LeaseLost(job.id()));
        assertThat(database.jobs()).isEqualTo(before);
    }

    @Test
    void stillSettlesAfterTheLeaseExpiredIfNobodyRescuedTheJob() {
        ReservedJob<Refresh> job = reserved("c1", "p1");
        database.expireLeases();
        assertThat(queue.complete(job)).isEqualTo(Settled.DONE);
        assertThat(queue.rescue(TYPE, 10).jobs()).isEmpty();
    }

    private ReservedJob<Refresh> reserved(String key, String... ids) {
        queue.enqueue(TYPE, Refresh.of(key, ids));
        return queue.reserve(TYPE, 1, LEASE).get(0);
    }
}
