package dev.tributary.race;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.TYPE;
import static dev.tributary.support.Refresh.ids;
import static dev.tributary.support.Session.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.Requeued;
import dev.tributary.ReservedJob;
import dev.tributary.support.Database;
import dev.tributary.support.Gate;
import dev.tributary.support.Refresh;
import dev.tributary.support.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.jooq.JSONB;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** R(1) is refused while a newer PENDING job of its key comes to be. */
class PendingAppearsTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue others = database.queue();
    private ReservedJob<Refresh> refused;

    @BeforeEach
    void reserve() {
        others.enqueue(TYPE, Refresh.of("k", "1"));
        refused = others.reserve(TYPE, 1, LEASE).get(0);
    }

    /** The open limit of the seed: merge found nothing, return collides. */
    @Test
    void betweenMergeAndReturnOnTheLibrarysOwnConnection() {
        DataSource gated = Gate.beforeConnection(2, database.dataSource(), this::enqueue2);

        Requeued answer = JobQueue.on(gated).requeue(refused, "queue full");

        assertThat(answer).isEqualTo(new Requeued.MergedInto(refused.id(), pending()));
        assertHolds("1", "2");
        assertThat(database.job(refused.id()).getResult())
                .isEqualTo(JSONB.valueOf(
                        "{\"reason\": \"queue full\", \"carriedOver\": true, \"mergedIntoJobId\": " + pending() + "}"));
    }

    @Test
    void betweenMergeAndReturnInTheCallersTransactionWhichGoesOnAndCommits() throws SQLException {
        database.execute("CREATE TABLE IF NOT EXISTS public.audit (note text)");
        try (Connection connection = database.connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("INSERT INTO public.audit VALUES ('before')");
            Requeued answer = others.within(Gate.beforeSavepoint(connection, this::enqueue2))
                    .requeue(refused, "queue full");
            assertThat(answer).isInstanceOf(Requeued.MergedInto.class);
            statement.execute("INSERT INTO public.audit VALUES ('after')");
            connection.commit();
        }
        assertHolds("1", "2");
        assertThat(database.<Integer>sql(db -> db.fetchCount(org.jooq.impl.DSL.table("public.audit"))))
                .isEqualTo(2);
    }

    @Test
    void betweenMergeAndReturnAndIsReservedBeforeTheCarryOver() {
        DataSource gated = Gate.beforeConnection(
                3,
                Gate.beforeConnection(2, database.dataSource(), this::enqueue2),
                () -> others.reserve(TYPE, 1, LEASE));

        Requeued answer = JobQueue.on(gated).requeue(refused, "queue full");

        assertThat(answer).isEqualTo(new Requeued.MergedInto(refused.id(), pending()));
        assertHolds("1");
        assertThat(database.jobs(JobStatus.RUNNING))
                .extracting(job -> ids(job.getConfig().data()).get(0))
                .containsExactly("2");
    }

    @Test
    void andTheLeaseIsLostBeforeTheCarryOver() {
        DataSource gated = Gate.beforeConnection(
                3, Gate.beforeConnection(2, database.dataSource(), this::enqueue2), () -> others.complete(refused));

        assertThat(JobQueue.on(gated).requeue(refused, "queue full")).isEqualTo(new Requeued.LeaseLost(refused.id()));

        assertHolds("2");
        assertThat(database.job(refused.id()).getMergedIntoJobId()).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void uncommittedWhenTheRequeueStartsThenCommitted(Where where) {
        try (Session newer = database.session()) {
            newer.does(q -> q.enqueue(TYPE, Refresh.of("k", "2")));
            CompletableFuture<Requeued> requeue = where.begins(database, q -> q.requeue(refused, "queue full"));
            newer.awaitBlocking();
            newer.commits();
            assertThat(result(requeue)).isEqualTo(new Requeued.MergedInto(refused.id(), pending()));
        }
        assertHolds("1", "2");
    }

    @ParameterizedTest
    @EnumSource
    void uncommittedWhenTheRequeueStartsThenRolledBack(Where where) {
        try (Session newer = database.session()) {
            newer.does(q -> q.enqueue(TYPE, Refresh.of("k", "2")));
            CompletableFuture<Requeued> requeue = where.begins(database, q -> q.requeue(refused, "queue full"));
            newer.awaitBlocking();
            newer.rollsBack();
            assertThat(result(requeue)).isEqualTo(new Requeued.Returned(refused.id()));
        }
        assertHolds("1");
    }

    @Test
    void andTheProcessDiesBetweenMergeAndReturn() {
        DataSource dying = Gate.beforeConnection(2, database.dataSource(), () -> {
            enqueue2();
            throw new IllegalStateException("killed");
        });
        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(() -> JobQueue.on(dying).requeue(refused, "queue full"))
                .withRootCauseExactlyInstanceOf(IllegalStateException.class);
        assertThat(database.job(refused.id()).getLockToken()).isEqualTo(refused.lockToken());

        database.expireLeases();
        assertThat(others.rescue(TYPE, 10).jobs()).containsExactly(new Requeued.MergedInto(refused.id(), pending()));
        assertHolds("1", "2");
    }

    @Test
    void andTheProcessDiesBetweenReturnAndCarryOver() {
        DataSource dying =
                Gate.beforeConnection(3, Gate.beforeConnection(2, database.dataSource(), this::enqueue2), () -> {
                    throw new IllegalStateException("killed");
                });
        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(() -> JobQueue.on(dying).requeue(refused, "queue full"))
                .withRootCauseExactlyInstanceOf(IllegalStateException.class);

        database.expireLeases();
        assertThat(others.rescue(TYPE, 10).jobs()).hasSize(1);
        assertHolds("1", "2");
    }

    @Test
    void andTheCallerRollsBackTheWholeRequeue() throws SQLException {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            others.within(Gate.beforeSavepoint(connection, this::enqueue2)).requeue(refused, "queue full");
            connection.rollback();
        }
        assertHolds("2");
        assertThat(database.job(refused.id()).getLockToken()).isEqualTo(refused.lockToken());
    }

    private void enqueue2() {
        others.enqueue(TYPE, Refresh.of("k", "2"));
    }

    private static long pending() {
        return database.jobs(JobStatus.PENDING).get(0).getId();
    }

    /** One PENDING job, and it holds these ids. */
    private static void assertHolds(String... ids) {
        assertThat(database.jobs(JobStatus.PENDING)).hasSize(1);
        assertThat(ids(database.job(pending()).getConfig().data())).containsExactly(ids);
    }
}
