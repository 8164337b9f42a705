package dev.tributary;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import dev.tributary.support.Session;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An open transaction has inserted rows of the host's own that refer to jobs: they stand in nobody's way. */
class ForeignKeyTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue().withLockTimeout(Duration.ofMillis(20));
    private final Reservations reservations = Reservations.of(queue);
    private Session host;

    @BeforeAll
    static void createTable() {
        database.execute("CREATE TABLE outcome (job_id bigint REFERENCES tributary.jobs (id))");
    }

    @BeforeEach
    void begin() {
        host = database.session();
    }

    @AfterEach
    void rollBack() {
        host.close();
    }

    @Test
    void aJobIsReservedRenewedAndCompleted() {
        long id = queue.enqueue(TYPE, Refresh.of("k", "1")).jobId();
        refer(id);
        ReservedJob<Refresh> job = queue.reserve(TYPE, 1, LEASE).get(0);
        assertThat(reservations.renew(List.of(job), LEASE.multipliedBy(2))).containsExactly(job.lockToken());
        assertThat(database.job(id).getLeaseUntil()).isAfter(job.leaseUntil());
        assertThat(reservations.complete(List.of(new Reservations.Done(job, null))))
                .containsExactly(job.lockToken());
        assertThat(database.job(id).getStatus()).isEqualTo(JobStatus.COMPLETED);
    }

    @Test
    void anOverdueJobIsReserved() {
        refer(queue.enqueue(TYPE, Refresh.of("k", "1")).jobId());
        assertThat(reservations.reserveOverdue(TYPE, Duration.ZERO, LEASE)).isPresent();
    }

    @Test
    void aRefusedJobMerges() {
        ReservedJob<Refresh> job = reservedThenReferredTo();
        long newer = queue.enqueue(TYPE, Refresh.of("k", "2")).jobId();
        refer(newer);
        assertThat(queue.requeue(job, "busy")).isEqualTo(new Requeued.MergedInto(job.id(), newer));
    }

    @Test
    void anExpiredJobIsRescued() {
        long id = reservedThenReferredTo().id();
        database.expireLeases();
        assertThat(queue.rescue(TYPE, 1).jobs()).containsExactly(new Requeued.Returned(id));
    }

    private ReservedJob<Refresh> reservedThenReferredTo() {
        queue.enqueue(TYPE, Refresh.of("k", "1"));
        ReservedJob<Refresh> job = queue.reserve(TYPE, 1, LEASE).get(0);
        refer(job.id());
        return job;
    }

    private void refer(long id) {
        host.executes("INSERT INTO outcome VALUES (" + id + ")");
    }
}
