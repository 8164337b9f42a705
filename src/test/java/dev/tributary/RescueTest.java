package dev.tributary;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.TYPE;
import static dev.tributary.support.Refresh.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.db.tables.records.JobsRecord;
import dev.tributary.support.Database;
import dev.tributary.support.Gate;
import dev.tributary.support.Refresh;
import dev.tributary.support.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jooq.JSONB;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

class RescueTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();

    @Test
    void putsBackWhatExpiredAndLeavesTheRest() {
        queue.enqueue(TYPE, Refresh.of("c1", "p1"));
        long expired = queue.reserve(TYPE, 1, LEASE).get(0).id();
        database.expireLeases();
        queue.enqueue(TYPE, Refresh.of("c2", "p2"));
        ReservedJob<Refresh> alive = queue.reserve(TYPE, 1, LEASE).get(0);

        assertThat(queue.rescue(TYPE, 10)).isEqualTo(new Rescued(List.of(new Requeued.Returned(expired))));

        assertThat(database.job(expired).getStatus()).isEqualTo(JobStatus.PENDING);
        assertThat(database.job(expired).getLastError()).isEqualTo("lease expired");
        assertThat(queue.complete(alive)).isEqualTo(Settled.DONE);
        assertThat(queue.rescue(TYPE, 10).jobs()).isEmpty();
    }

    @Test
    void mergesAStaleJobIntoTheNewerOneOfItsKey() {
        queue.enqueue(TYPE, Refresh.of("k", "1"));
        long stale = queue.reserve(TYPE, 1, LEASE).get(0).id();
        long newer = queue.enqueue(TYPE, Refresh.of("k", "2")).jobId();
        database.expireLeases();
        assertThat(queue.rescue(TYPE, 10).jobs()).containsExactly(new Requeued.MergedInto(stale, newer));
        assertThat(ids(database.job(newer).getConfig().data())).containsExactly("1", "2");
    }

    @Test
    void recoversAHundredStaleJobsSomeOfOneKeySomeWithANewerOneSomeAtTheirLastAttempt() {
        List<Refresh> all = IntStream.range(0, 96)
                .mapToObj(i -> Refresh.of("c" + i, "p" + i))
                .toList();
        queue.enqueueAll(TYPE, all);
        assertThat(queue.reserve(TYPE, 200, LEASE)).hasSize(96);
        for (String id : List.of("q1", "q2", "q3", "q4")) { // c0 runs five times
            queue.enqueue(TYPE, Refresh.of("c0", id));
            assertThat(queue.reserve(TYPE, 1, LEASE)).hasSize(1);
        }
        queue.enqueue(TYPE, Refresh.of("c1", "newer"));
        queue.enqueue(TYPE, Refresh.of("c0", "newest"));
        database.execute("UPDATE tributary.jobs SET attempts = max_attempts WHERE merge_key = 'c2'");
        database.expireLeases();

        List<Requeued> rescued = queue.rescue(TYPE, 200).jobs();

        assertThat(rescued).hasSize(100);
        assertThat(rescued.stream().filter(Requeued.MergedInto.class::isInstance))
                .hasSize(6);
        assertThat(rescued.stream().filter(Requeued.Exhausted.class::isInstance))
                .hasSize(1);
        assertThat(database.jobs(JobStatus.RUNNING)).isEmpty();
        Set<String> waitingOrFailed = Stream.concat(
                        database.jobs(JobStatus.PENDING).stream(), database.jobs(JobStatus.FAILED).stream())
                .flatMap(job -> ids(job.getConfig().data()).stream())
                .collect(Collectors.toSet());
        assertThat(waitingOrFailed).hasSize(96 + 6).contains("q1", "q2", "q3", "q4", "newer", "newest");
    }

    @Test
    void takesNoMoreThanTheLimit() {
        queue.enqueueAll(TYPE, List.of(Refresh.of("a"), Refresh.of("b"), Refresh.of("c")));
        queue.reserve(TYPE, 3, LEASE);
        database.expireLeases();
        assertThat(queue.rescue(TYPE, 2).jobs()).hasSize(2);
        assertThat(queue.rescue(TYPE, 2).jobs()).hasSize(1);
    }

    @Test
    void leavesAJobThatCannotBePutBackToTheNextRescueAndGoesOn() {
        // A merge that fails on some stored data: a division by zero where the pending job says so.
        JobType<Refresh> picky = JobType.named("PICKY", Refresh.class)
                .onePendingPer(Refresh::catalogId)
                .merging((older, newer) -> DSL.when(
                                DSL.jsonbGetAttributeAsText(newer, "catalogId").eq("bad"),
                                DSL.inline(1)
                                        .div(DSL.length(DSL.jsonbGetAttributeAsText(newer, "catalogId"))
                                                .minus(3))
                                        .cast(SQLDataType.VARCHAR)
                                        .cast(SQLDataType.JSONB))
                        .else_(newer))
                .backoff(Backoff.none())
                .build();
        List<String> keys = new ArrayList<>(List.of("a", "bad", "c"));
        for (String key : keys) {
            queue.enqueue(picky, Refresh.of(key, "1"));
        }
        queue.reserve(picky, 3, LEASE);
        for (String key : keys) {
            queue.enqueue(picky, Refresh.of(key, "2"));
        }
        database.expireLeases();

        assertThat(queue.rescue(picky, 10).jobs()).hasSize(2);

        assertThat(database.jobs(JobStatus.RUNNING))
                .extracting(JobsRecord::getMergeKey)
                .containsExactly("bad");
        assertThat(database.jobs(JobStatus.RUNNING).get(0).getConfig())
                .isEqualTo(JSONB.valueOf("{\"catalogId\": \"bad\", \"productIds\": [\"1\"]}"));
    }

    @Test
    void goesOnAfterALockThatDoesNotCome() {
        for (String key : List.of("a", "b")) {
            queue.enqueue(TYPE, Refresh.of(key, "1"));
        }
        queue.reserve(TYPE, 2, LEASE);
        for (String key : List.of("a", "b")) {
            queue.enqueue(TYPE, Refresh.of(key, "2"));
        }
        database.expireLeases();
        PGSimpleDataSource impatient = database.dataSource();
        impatient.setOptions("-c lock_timeout=50");
        try (Session producer = database.session()) {
            producer.does(q -> q.enqueue(TYPE, Refresh.of("a", "3")));
            assertThat(JobQueue.on(impatient).rescue(TYPE, 10).jobs()).hasSize(1);
        }
        assertThat(database.jobs(JobStatus.RUNNING))
                .extracting(JobsRecord::getMergeKey)
                .containsExactly("a");
    }

    /** The first connection takes over, the next two put the first job back. */
    @Test
    void goesOnAfterAConnectionThatIsCutAndLeavesItsJobForSecondsOnly() {
        threeExpired();
        assertThat(JobQueue.on(cut(2)).rescue(TYPE, 10).jobs()).hasSize(2);
        assertThat(database.jobs(JobStatus.RUNNING))
                .singleElement()
                .satisfies(job -> assertThat(job.getLeaseUntil())
                        .isBetween(job.getUpdatedAt(), job.getUpdatedAt().plusSeconds(10)));
        database.expireLeases();
        assertThat(queue.rescue(TYPE, 10).jobs()).hasSize(1);
    }

    @Test
    void stopsOnceTwoJobsRunningGetNoConnection() {
        threeExpired();
        JobQueue cutTwice = JobQueue.on(Gate.beforeConnection(3, cut(2), RescueTest::fail));
        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(() -> cutTwice.rescue(TYPE, 10))
                .satisfies(e -> assertThat(e.sqlState()).isEqualTo("08006"));
        assertThat(database.jobs(JobStatus.RUNNING)).hasSize(3);
    }

    private void threeExpired() {
        queue.enqueueAll(TYPE, List.of(Refresh.of("a"), Refresh.of("b"), Refresh.of("c")));
        queue.reserve(TYPE, 3, LEASE);
        database.expireLeases();
    }

    private static DataSource cut(int nth) {
        return Gate.beforeConnection(nth, database.dataSource(), RescueTest::fail);
    }

    private static void fail() throws SQLException {
        throw new SQLException("cut", "08006");
    }

    @Test
    void putsBackThoughTheBackoffIsBroken() {
        JobType<Refresh> broken = JobType.named("BROKEN", Refresh.class)
                .backoff(attempt -> {
                    throw new IllegalStateException("no backoff");
                })
                .build();
        long id = queue.enqueue(broken, Refresh.of("c1")).jobId();
        queue.reserve(broken, 1, LEASE);
        database.expireLeases();
        assertThat(queue.rescue(broken, 10).jobs()).containsExactly(new Requeued.Returned(id));
    }

    @Test
    void countsByTheTypesBackoff() {
        JobType<Refresh> slow = JobType.named("SLOW", Refresh.class)
                .backoff(Backoff.fixed(Duration.ofHours(1)))
                .build();
        queue.enqueue(slow, Refresh.of("c1"));
        queue.reserve(slow, 1, LEASE);
        database.expireLeases();
        queue.rescue(slow, 1);
        assertThat(queue.reserve(slow, 1, LEASE)).isEmpty();
    }
}
