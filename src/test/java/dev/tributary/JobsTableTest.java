package dev.tributary;

import static dev.tributary.db.Tables.JOBS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.db.tables.records.JobsRecord;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jooq.JSONB;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the table accepts, whoever writes to it. */
class JobsTableTest {
    private static final String CHECK_VIOLATION = "23514";
    private static final String NOT_NULL_VIOLATION = "23502";
    private static final String UNIQUE_VIOLATION = "23505";

    @RegisterExtension
    static final Database database = Database.migrated();

    /** A state of a job: which of the columns that go with the status hold a value. */
    private record State(
            JobStatus status, boolean token, boolean lease, boolean started, boolean finished, boolean merged) {
        static List<State> all() {
            List<State> all = new ArrayList<>();
            for (JobStatus status : JobStatus.values()) {
                for (int bits = 0; bits < 32; bits++) {
                    all.add(new State(
                            status,
                            (bits & 1) != 0,
                            (bits & 2) != 0,
                            (bits & 4) != 0,
                            (bits & 8) != 0,
                            (bits & 16) != 0));
                }
            }
            return all;
        }

        /** The rule, said once more in other words. */
        boolean allowed() {
            return switch (status) {
                case PENDING -> !token && !lease && !finished && !merged;
                case RUNNING -> token && lease && started && !finished && !merged;
                case COMPLETED -> !token && !lease && finished;
                case FAILED, CANCELLED -> !token && !lease && finished && !merged;
            };
        }

        JobsRecord row() {
            JobsRecord row = JobsTableTest.row();
            row.setStatus(status);
            row.setLockToken(token ? UUID.randomUUID() : null);
            row.setLeaseUntil(lease ? Instant.EPOCH : null);
            row.setStartedAt(started ? Instant.EPOCH : null);
            row.setFinishedAt(finished ? Instant.EPOCH : null);
            row.setMergedIntoJobId(merged ? Long.MAX_VALUE : null);
            return row;
        }
    }

    @Test
    void acceptsExactlyTheStatesThatTheQueueKnows() {
        List<State> accepted = State.all().stream()
                .filter(state -> accepts(CHECK_VIOLATION, state.row()))
                .toList();
        assertThat(accepted)
                .hasSize(11)
                .containsExactlyElementsOf(
                        State.all().stream().filter(State::allowed).toList());
    }

    @Test
    void everyRunningStateIsFoundByRescueWhenItsLeaseHasExpired() {
        List<Long> running = State.all().stream()
                .filter(state -> state.status() == JobStatus.RUNNING)
                .filter(state -> accepts(CHECK_VIOLATION, state.row()))
                .map(state -> database.jobs(JobStatus.RUNNING).get(0).getId())
                .toList();
        assertThat(running).isNotEmpty();

        List<Requeued> rescued = database.queue().rescue(Refresh.TYPE, 100).jobs();

        assertThat(rescued).extracting(Requeued::jobId).containsExactlyElementsOf(running);
        assertThat(database.jobs(JobStatus.RUNNING)).isEmpty();
    }

    @Test
    void knowsNoOtherStatus() {
        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(() -> database.sql(
                        db -> db.execute("INSERT INTO tributary.jobs (type, config, max_attempts, status) VALUES"
                                + " ('T', '{}', 1, 'pending')")))
                .satisfies(e -> assertThat(e.sqlState()).isEqualTo(CHECK_VIOLATION));
    }

    @Test
    void aJobIsNotMergedIntoItself() {
        long id = database.sql(
                db -> db.insertInto(JOBS).set(row()).returning().fetchSingle().getId());
        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(() -> database.sql(
                        db -> db.execute("UPDATE tributary.jobs SET status = 'COMPLETED', finished_at = now(),"
                                + " merged_into_job_id = id WHERE id = " + id)))
                .satisfies(e -> assertThat(e.sqlState()).isEqualTo(CHECK_VIOLATION));
    }

    @Nested
    class ThePayload {
        @ParameterizedTest
        @ValueSource(strings = {"null", "[]", "\"x\"", "1", "true"})
        void isAnObjectAndNoOtherJson(String json) {
            JobsRecord row = row();
            row.setConfig(JSONB.jsonb(json));
            assertThat(accepts(CHECK_VIOLATION, row)).isFalse();
        }

        @Test
        void isNotNull() {
            JobsRecord row = row();
            row.setConfig(null);
            row.changed(JOBS.CONFIG, true);
            assertThat(accepts(NOT_NULL_VIOLATION, row)).isFalse();
        }

        @Test
        void mayBeTheEmptyObject() {
            JobsRecord row = row();
            row.setConfig(JSONB.jsonb("{}"));
            assertThat(accepts(CHECK_VIOLATION, row)).isTrue();
        }
    }

    @Nested
    class TheKey {
        @Test
        void hasFromOneToOneThousandAndTwentyFourBytes() {
            assertThat(accepts(CHECK_VIOLATION, keyed(""))).isFalse();
            assertThat(accepts(CHECK_VIOLATION, keyed("k"))).isTrue();
            assertThat(accepts(CHECK_VIOLATION, keyed("k".repeat(1024)))).isTrue();
            assertThat(accepts(CHECK_VIOLATION, keyed("k".repeat(1025)))).isFalse();
            assertThat(accepts(CHECK_VIOLATION, keyed("ü".repeat(512)))).isTrue();
            assertThat(accepts(CHECK_VIOLATION, keyed("ü".repeat(512) + "k"))).isFalse();
        }

        @Test
        void hasOnePendingJob() {
            assertThat(accepts(UNIQUE_VIOLATION, keyed("c1"))).isTrue();
            assertThat(accepts(UNIQUE_VIOLATION, keyed("c1"))).isFalse();
        }

        @Test
        void mayHaveAnyNumberOfJobsThatAreNotPending() {
            for (JobStatus status : JobStatus.values()) {
                State state = State.all().stream()
                        .filter(s -> s.status() == status && s.allowed())
                        .findFirst()
                        .orElseThrow();
                int jobs = status == JobStatus.PENDING ? 1 : 2;
                for (int i = 0; i < jobs; i++) {
                    JobsRecord row = state.row();
                    row.setMergeKey("c1");
                    assertThat(accepts(UNIQUE_VIOLATION, row)).isTrue();
                }
            }
            assertThat(database.jobs()).hasSize(9);
        }

        @Test
        void isOfItsType() {
            JobsRecord other = keyed("c1");
            other.setType("OTHER");
            assertThat(accepts(UNIQUE_VIOLATION, keyed("c1"))).isTrue();
            assertThat(accepts(UNIQUE_VIOLATION, other)).isTrue();
        }

        @Test
        void conflictsWithNothingIfItIsMissing() {
            for (int i = 0; i < 3; i++) {
                assertThat(accepts(UNIQUE_VIOLATION, row())).isTrue();
            }
            assertThat(database.jobs(JobStatus.PENDING)).hasSize(3);
        }

        private JobsRecord keyed(String key) {
            JobsRecord row = row();
            row.setMergeKey(key);
            return row;
        }
    }

    private static JobsRecord row() {
        JobsRecord row = new JobsRecord();
        row.setType(Refresh.TYPE.name());
        row.setConfig(JSONB.jsonb("{\"catalogId\": \"c1\", \"productIds\": []}"));
        row.setMaxAttempts(10);
        return row;
    }

    /** Whether the row can be inserted; if not, then for that reason and no other. */
    private static boolean accepts(String refusal, JobsRecord row) {
        try {
            return database.sql(db -> db.insertInto(JOBS).set(row).execute()) == 1;
        } catch (DataAccessException e) {
            assertThat(e.sqlState()).as(row.toString()).isEqualTo(refusal);
            return false;
        }
    }
}
