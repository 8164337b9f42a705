package dev.tributary.batch;

import static dev.tributary.db.Tables.EVENTS;
import static dev.tributary.db.Tables.JOBS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.InvalidArgument;
import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.Requeued;
import dev.tributary.ReservedJob;
import dev.tributary.TributarySchema;
import dev.tributary.db.tables.records.EventsRecord;
import dev.tributary.db.tables.records.JobsRecord;
import dev.tributary.inbox.Event;
import dev.tributary.inbox.Inbox;
import dev.tributary.support.Database;
import dev.tributary.support.Gate;
import dev.tributary.support.Refresh;
import dev.tributary.support.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ended jobs and old events are deleted, by status and age, and no job before those that were merged into it. */
class RetentionTest {
    private static final Duration WEEK = Duration.ofDays(7);

    @RegisterExtension
    static final Database database = Database.migrated();

    private static BatchDaemon deleting(JobStatus status) {
        return Retention.jobs(status, WEEK).batchSize(10).on(database.pool());
    }

    /** Jobs of one status, of ids 1 and up in the order of their age; half of them older than a week. */
    private static void ended(JobStatus status, int jobs) {
        database.execute("INSERT INTO tributary.jobs (type, status, config, max_attempts, started_at, finished_at)"
                + " SELECT 'T', '" + status + "', '{}', 1, now(), now() - interval '1 hour' * CASE WHEN n <= "
                + jobs / 2
                + " THEN 24 * 7 + 1 ELSE 24 * 7 - 1 END FROM generate_series(1, " + jobs + ") AS n");
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETED", "FAILED", "CANCELLED"})
    void deletesJobsOfTheStatusThatAreOldEnough(JobStatus status) {
        for (JobStatus each : List.of(JobStatus.COMPLETED, JobStatus.FAILED, JobStatus.CANCELLED)) {
            ended(each, 40);
        }
        database.queue().enqueue(Refresh.TYPE, Refresh.of("waits"));
        database.queue().enqueue(Refresh.TYPE, Refresh.of("runs"));
        database.queue().reserve(Refresh.TYPE, 1, Refresh.LEASE);
        database.execute("UPDATE tributary.jobs SET created_at = 'epoch', updated_at = 'epoch', started_at = 'epoch'"
                + " WHERE status IN ('RUNNING', 'PENDING')");
        Progress progress = deleting(status).runOnce();
        assertThat(progress.done()).isEqualTo(20);
        assertThat(progress.waiting()).isZero();
        assertThat(database.jobs(status)).hasSize(20);
        assertThat(database.jobs()).hasSize(3 * 40 - 20 + 2);
    }

    @ParameterizedTest
    @EnumSource(names = {"PENDING", "RUNNING"})
    void jobsThatHaveNotEndedCannotBeMeant(JobStatus status) {
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(() -> Retention.jobs(status, WEEK))
                .withMessage("the status is " + status + ": only jobs that have ended are deleted,"
                        + " [COMPLETED, FAILED, CANCELLED]");
    }

    @Test
    void badAgesAreRefused() {
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(() -> Retention.jobs(JobStatus.FAILED, Duration.ofSeconds(-1)));
        assertThatExceptionOfType(InvalidArgument.class).isThrownBy(() -> Retention.jobs(null, WEEK));
        assertThatExceptionOfType(InvalidArgument.class).isThrownBy(() -> Retention.events(null));
    }

    /** Each refused and merged into the next; the last one ends as it may. */
    private static List<Long> chain(int merged, JobStatus end) {
        JobQueue queue = database.queue();
        List<Long> ids = new ArrayList<>(
                List.of(queue.enqueue(Refresh.TYPE, Refresh.of("c", "p0")).jobId()));
        for (int i = 1; i <= merged; i++) {
            ReservedJob<Refresh> job =
                    queue.reserve(Refresh.TYPE, 1, Refresh.LEASE).get(0);
            ids.add(queue.enqueue(Refresh.TYPE, Refresh.of("c", "p" + i)).jobId());
            assertThat(queue.requeue(job, "busy")).isInstanceOf(Requeued.MergedInto.class);
        }
        ReservedJob<Refresh> last =
                queue.reserve(Refresh.TYPE, 1, Refresh.LEASE).get(0);
        if (end == JobStatus.FAILED) {
            queue.fail(last, "for good");
        } else {
            queue.complete(last);
        }
        return ids;
    }

    private static void age(String interval, List<Long> ids) {
        ids.forEach(id -> database.execute(
                "UPDATE tributary.jobs SET finished_at = finished_at - interval '" + interval + "' WHERE id = " + id));
    }

    private static List<Long> left() {
        return database.jobs().stream().map(JobsRecord::getId).toList();
    }

    @Test
    void aJobStaysAsLongAsThoseThatWereMergedIntoIt() {
        List<Long> ids = chain(2, JobStatus.FAILED);
        age("8 days", ids);
        BatchDaemon failed = deleting(JobStatus.FAILED);
        BatchDaemon completed = deleting(JobStatus.COMPLETED);
        assertThat(failed.runOnce().done()).isZero();
        for (int link = 0; link < 2; link++) {
            assertThat(left()).isEqualTo(ids.subList(link, 3));
            completed.runOnce();
            if (link == 0) {
                assertThat(failed.runOnce().done()).isZero();
            }
        }
        assertThat(left()).isEqualTo(ids.subList(2, 3));
        assertThat(failed.runOnce().done()).isOne();
        assertThat(left()).isEmpty();
    }

    /** The first link is deleted, and not yet committed: for everybody else it is there. */
    @Test
    void daemonsSideBySideKeepToThatToo() {
        List<Long> ids = chain(1, JobStatus.COMPLETED);
        age("8 days", ids);
        List<Progress> beside = new ArrayList<>();
        BatchDaemon first = Retention.jobs(JobStatus.COMPLETED, WEEK)
                .on(Gate.beforeCommit(1, database.dataSource(), () -> {
                    beside.add(deleting(JobStatus.COMPLETED).runOnce());
                    assertThat(left()).isEqualTo(ids);
                }));
        assertThat(first.runOnce().done()).isOne();
        assertThat(beside).extracting(Progress::done).containsExactly(0L);
        assertThat(first.runOnce().done()).isOne();
        assertThat(left()).isEmpty();
    }

    /** It is locked, then pending: the daemon leaves it alone both times. */
    @Test
    void aFailedJobThatIsBroughtBackIsNotDeleted() {
        List<Long> ids = chain(0, JobStatus.FAILED);
        age("8 days", ids);
        try (Session operator = database.session()) {
            operator.does(queue -> queue.retry(Refresh.TYPE, ids.get(0)));
            assertThat(deleting(JobStatus.FAILED).runOnce().done()).isZero();
            operator.commits();
        }
        assertThat(deleting(JobStatus.FAILED).runOnce().done()).isZero();
        assertThat(database.jobs(JobStatus.PENDING)).hasSize(1);
    }

    @Test
    void manyJobsByTheThousand() {
        ended(JobStatus.COMPLETED, 30_000);
        Progress progress = Retention.jobs(JobStatus.COMPLETED, WEEK)
                .batchSize(1_000)
                .on(database.pool())
                .runOnce();
        assertThat(progress.done()).isEqualTo(15_000);
        int left = database.sql(db -> db.fetchCount(JOBS));
        assertThat(left).isEqualTo(15_000);
    }

    @Test
    void deletesEventsThatAreOldEnough() {
        Inbox inbox = Inbox.on(database.pool());
        inbox.ingest(IntStream.range(0, 50)
                .mapToObj(i -> new Event("old-" + i, "{}"))
                .toList());
        database.execute("UPDATE tributary.events SET received_at = received_at - interval '8 days'");
        inbox.ingest(List.of(new Event("new", "{}")));
        Progress progress =
                Retention.events(WEEK).batchSize(7).on(database.pool()).runOnce();
        assertThat(progress.done()).isEqualTo(50);
        assertThat(database.events()).extracting(EventsRecord::getBusinessKey).containsExactly("new");
        // From now on it is an event that was never seen.
        assertThat(inbox.ingest(List.of(new Event("old-1", "{}"), new Event("new", "{}")))
                        .accepted())
                .containsExactly("old-1");
    }

    @Test
    void worksInASchemaOfAnotherName() {
        TributarySchema.migrate(database.dataSource(), "Other one");
        JobQueue.on(database.dataSource(), "Other one").enqueue(Refresh.TYPE, Refresh.of("c", "p"));
        JobQueue other = JobQueue.on(database.dataSource(), "Other one");
        other.complete(other.reserve(Refresh.TYPE, 1, Refresh.LEASE).get(0));
        ended(JobStatus.COMPLETED, 4);
        BatchDaemon daemon = Retention.jobs(JobStatus.COMPLETED, Duration.ZERO).on(database.dataSource(), "Other one");
        assertThat(daemon.runOnce().done()).isOne();
        assertThat(database.jobs()).hasSize(4);
        int events = database.sql(db -> db.fetchCount(EVENTS));
        assertThat(events).isZero();
    }
}
