package dev.tributary.worker;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.Backoff;
import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.JobType;
import dev.tributary.db.tables.records.JobsRecord;
import dev.tributary.support.Database;
import dev.tributary.support.Gate;
import dev.tributary.support.Refresh;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Outcomes that are written down together: what is wrong with one is not the others'. */
class SettlingTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();
    private final Ends ends = new Ends();

    /** Jackson passes this on as it is. */
    public static final class Bomb {
        public String getText() {
            throw new NoClassDefFoundError("of a getter");
        }
    }

    @Test
    void completesTheOthersOfOneWhoseResultCannotBeWritten() {
        List<Settling.Handled> all = eight(TYPE, Outcome.done());
        all.set(3, with(all.get(3), Outcome.done(new Bomb())));

        assertThat(settle(queue, all)).isEmpty();

        assertThat(database.jobs(JobStatus.COMPLETED)).hasSize(7);
        assertThat(ends.troubles())
                .extracting(WorkerListener.Trouble::cause)
                .singleElement()
                .isInstanceOf(NoClassDefFoundError.class);
    }

    @Test
    void completesTheOthersOfOneThatTheDatabaseRefuses() {
        List<Settling.Handled> all = eight(TYPE, Outcome.done());
        all.set(3, with(all.get(3), Outcome.done(Map.of("a", 1))));
        database.onUpdate("new.status = 'COMPLETED' AND new.result IS NOT NULL", "RAISE EXCEPTION 'not with us'");

        assertThat(settle(queue, all)).isEmpty();

        assertThat(database.jobs(JobStatus.COMPLETED)).hasSize(7);
        assertThat(ends.troubles()).hasSize(1);
    }

    @Test
    void leavesForLaterWhatTookTooLongAndSettlesTheOthers() {
        List<Settling.Handled> all = eight(TYPE, Outcome.refused("busy"));
        PGSimpleDataSource impatient = database.dataSource();
        impatient.setOptions("-c statement_timeout=1000");
        database.onUpdate("new.status = 'PENDING' AND new.merge_key = 'c3'", "PERFORM pg_sleep(60)");

        assertThat(settle(JobQueue.on(impatient), all))
                .containsOnlyKeys(all.get(3).job());

        assertThat(database.jobs(JobStatus.PENDING)).hasSize(7);
        assertThat(ends.troubles()).isEmpty();
    }

    @Test
    void leavesAllForLaterOnceNobodyAnswers() {
        List<Settling.Handled> all = eight(TYPE, Outcome.refused("busy"));
        Map<HeldJob<?>, DataAccessException> left = settle(failingOnce(5, "08006"), all);
        assertThat(left)
                .containsOnlyKeys(
                        all.stream().skip(2).map(Settling.Handled::job).toArray(HeldJob<?>[]::new));
        assertThat(database.jobs(JobStatus.PENDING)).hasSize(2);
    }

    /** Drivers and proxies have been seen to give no SQLSTATE, or a part of one. */
    @ParameterizedTest
    @ValueSource(strings = {"", "X", "0"})
    void survivesErrorsWithoutAProperSqlstate(String state) {
        List<Settling.Handled> all = eight(TYPE, Outcome.refused("busy"));
        assertThat(settle(failingOnce(3, state), all)).isEmpty();
        assertThat(database.jobs(JobStatus.PENDING)).hasSize(7);
        assertThat(ends.troubles()).hasSize(1);
    }

    @Test
    void takesAnErrorWithoutASqlstateForAnOutage() {
        List<Settling.Handled> all = eight(TYPE, Outcome.refused("busy"));
        assertThat(settle(failingOnce(15, null), all))
                .containsOnlyKeys(all.get(7).job());
    }

    static Stream<Backoff> backoffsThatCannotBeUsed() {
        return Stream.of(
                attempt -> {
                    throw new IllegalStateException("no backoff");
                },
                attempt -> {
                    throw new StackOverflowError("no end");
                },
                attempt -> null,
                attempt -> Duration.ofSeconds(-1),
                attempt -> Duration.ofSeconds(Long.MAX_VALUE));
    }

    @ParameterizedTest
    @MethodSource("backoffsThatCannotBeUsed")
    void putsBackWithTheDefaultBackoffIfThatOfTheTypeCannotBeUsed(Backoff backoff) {
        assertThat(settle(queue, eight(Refresh.type("BROKEN", backoff), Outcome.refused("busy"))))
                .isEmpty();
        assertThat(database.jobs())
                .allMatch(job -> job.getStatus() == JobStatus.PENDING)
                .allMatch(job -> job.getRunAt().isAfter(job.getUpdatedAt().plusMillis(500)))
                .extracting(JobsRecord::getLastError)
                .containsOnly("busy");
    }

    private Map<HeldJob<?>, DataAccessException> settle(JobQueue on, List<Settling.Handled> all) {
        return new Settling(on, new Events(ends)).settle(all, new Tally());
    }

    private List<Settling.Handled> eight(JobType<Refresh> type, Outcome outcome) {
        IntStream.range(0, 8).forEach(i -> queue.enqueue(type, Refresh.of("c" + i, "p")));
        List<Settling.Handled> handled = new ArrayList<>();
        queue.reserve(type, 8, LEASE)
                .forEach(job -> handled.add(new Settling.Handled(new HeldJob<>(job, it -> outcome), outcome)));
        return handled;
    }

    private static Settling.Handled with(Settling.Handled handled, Outcome outcome) {
        return new Settling.Handled(handled.job(), outcome);
    }

    /** The nth connection is not handed out; a job that is put back takes two. */
    private static JobQueue failingOnce(int nth, String state) {
        return JobQueue.on(Gate.beforeConnection(nth, database.dataSource(), () -> {
            throw new SQLException("no connection", state);
        }));
    }
}
