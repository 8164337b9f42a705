package dev.tributary.batch;

import static dev.tributary.batch.Ads.ADS;
import static dev.tributary.batch.Ads.ID;
import static dev.tributary.batch.Ads.TRUST_SCORE;
import static dev.tributary.batch.Ads.WRITES;
import static dev.tributary.db.Tables.JOBS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;

import dev.tributary.JobStatus;
import dev.tributary.JobType;
import dev.tributary.db.tables.records.JobsRecord;
import dev.tributary.support.Cuts;
import dev.tributary.support.Database;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rows are handed to Java, and what it returns is written back in the transaction that locked them. */
class ComputeTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    @SuppressWarnings("rawtypes")
    private static final JobType<Map> JOB = JobType.named("T", Map.class).build();

    @BeforeEach
    void rows() {
        Ads.create(database, 20);
    }

    private static BatchDaemon computing(DataSource dataSource, BatchComputation<Record> computation) {
        return computing(dataSource, 6, computation);
    }

    private static BatchDaemon computing(DataSource dataSource, int size, BatchComputation<Record> computation) {
        return BatchDaemon.named("computing")
                .over(ADS)
                .key(ID)
                .whileTrue(TRUST_SCORE.isNull())
                .compute(computation)
                .batchSize(size)
                .on(dataSource);
    }

    private static List<Record> scored(List<Record> rows) {
        rows.forEach(row -> {
            row.set(TRUST_SCORE, row.get(ID).intValue() * 2);
            row.set(WRITES, row.get(WRITES) + 1);
        });
        return rows;
    }

    @Test
    void whatItReturnsIsWrittenBack() {
        List<Integer> sizes = new ArrayList<>();
        Progress progress = computing(database.dataSource(), (tx, rows) -> {
                    sizes.add(rows.size());
                    assertThat(rows).extracting(row -> row.get(ID)).isSorted();
                    return scored(rows);
                })
                .runOnce();
        assertThat(progress.done()).isEqualTo(20);
        assertThat(sizes).containsExactly(6, 6, 6, 2);
        List<Integer> scores =
                database.sql(db -> db.select(TRUST_SCORE).from(ADS).orderBy(ID).fetch(TRUST_SCORE));
        assertThat(scores)
                .isEqualTo(LongStream.rangeClosed(1, 20)
                        .mapToObj(id -> (int) id * 2)
                        .toList());
        assertThat(Ads.writes(database)).containsExactly(1);
    }

    @Test
    void tenThousandRowsAndMore() {
        Ads.create(database, 12_345);
        Progress progress = computing(database.dataSource(), 1_000, (tx, rows) -> scored(rows))
                .runOnce();
        assertThat(progress.done()).isEqualTo(12_345);
        assertThat(Ads.writes(database)).containsExactly(1);
    }

    @Test
    void rowsMayBeLeftOutAndChangedDifferently() {
        BatchDaemon daemon = computing(database.dataSource(), (tx, rows) -> {
            List<Record> some = new ArrayList<>(rows);
            some.removeIf(row -> row.get(ID) == 5);
            some.forEach(row -> {
                if (row.get(ID) % 2 == 0) {
                    row.set(TRUST_SCORE, 1);
                } else if (row.get(ID) != 7) {
                    row.set(TRUST_SCORE, 2);
                    row.set(WRITES, 9);
                }
            });
            Collections.reverse(some);
            return some;
        });
        assertThat(daemon.runOnce().done()).isEqualTo(18);
        assertThat(Ads.unscored(database)).containsExactly(5L, 7L);
        assertThat(Ads.writes(database)).containsExactly(0, 9);
    }

    @Test
    void rowsOfAGeneratedTableHaveTheirType() {
        database.queue().enqueueAll(JOB, Collections.nCopies(10, Map.of("n", 1)));
        BatchComputation<JobsRecord> raising = (tx, rows) -> {
            rows.forEach(job -> {
                assertThat(job.getStatus()).isEqualTo(JobStatus.PENDING);
                job.setConfig(JSONB.jsonb("{\"n\": 2}"));
                job.setPriority(5);
                job.setLastError(null);
            });
            return rows;
        };
        Progress progress = BatchDaemon.named("typed")
                .over(JOBS)
                .key(JOBS.ID)
                .whileTrue(JOBS.PRIORITY.lt(5))
                .compute(raising)
                .batchSize(3)
                .on(database.pool())
                .runOnce();
        assertThat(progress.done()).isEqualTo(10);
        assertThat(database.jobs()).allMatch(job -> job.getConfig().data().equals("{\"n\": 2}"));
    }

    @Test
    void arraysAndNullsAreWrittenAsTheyAre() {
        database.execute("ALTER TABLE ads ADD tags text[] DEFAULT '{a}', ADD note text DEFAULT 'x'");
        Field<String[]> tags = field(name("tags"), SQLDataType.CLOB.array());
        Field<String> note = field(name("note"), SQLDataType.VARCHAR);
        computing(database.dataSource(), (tx, rows) -> {
                    rows.forEach(row -> {
                        row.set(TRUST_SCORE, 1);
                        row.set(tags, new String[] {"b\"{,}", null});
                        row.set(note, null);
                    });
                    return rows;
                })
                .runOnce();
        int written = database.sql(db ->
                db.fetchCount(ADS, tags.eq(new String[] {"b\"{,}", null}).and(note.isNull())));
        assertThat(written).isEqualTo(20);
    }

    /** Jobs that the rows cause are enqueued with the batch, or not at all. */
    @Test
    void itsTransactionIsThatOfTheBatch() {
        BatchDaemon daemon = computing(database.dataSource(), (tx, rows) -> {
            tx.transaction(nested ->
                    database.queue().within(nested.dsl()).enqueueAll(JOB, Collections.nCopies(rows.size(), Map.of())));
            if (rows.get(0).get(ID) > 6) {
                throw new IOException("the service is away");
            }
            return scored(rows);
        });
        assertThatExceptionOfType(BatchFailed.class)
                .isThrownBy(daemon::runOnce)
                .withMessage("the computation of a batch of 6 rows threw java.io.IOException: the service is away")
                .withCauseInstanceOf(IOException.class);
        assertThat(Ads.scored(database)).isEqualTo(6);
        assertThat(database.jobs()).hasSize(6);
    }

    @Test
    void anErrorOfTheDatabaseThatItSwallowsIsToldAllTheSame() {
        BatchDaemon daemon = computing(database.dataSource(), (tx, rows) -> {
            try {
                tx.execute("SELECT 1 / 0");
            } catch (DataAccessException swallowed) {
                return List.of();
            }
            return rows;
        });
        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(daemon::runOnce)
                .satisfies(e -> assertThat(e.sqlState()).isEqualTo("25P02"));
    }

    @Test
    void whatCannotBeWrittenIsRefusedByName() {
        refused("the computation returned null", (tx, rows) -> null);
        refused("a row that is not in the batch: null", (tx, rows) -> Collections.singletonList(null));
        refused("a row that is not in the batch: key 99", (tx, rows) -> {
            rows.get(0).set(ID, 99L);
            return rows;
        });
        assertThat(Ads.scored(database)).isZero();
    }

    private static void refused(String message, BatchComputation<Record> computation) {
        assertThatExceptionOfType(BatchFailed.class)
                .isThrownBy(() -> computing(database.dataSource(), computation).runOnce())
                .withMessageContaining(message);
    }

    /** While the one computes its first batch, the other does the rest. */
    @Test
    void twoDaemonsShareTheWork() {
        List<Progress> other = new ArrayList<>();
        BatchDaemon second = computing(database.dataSource(), (tx, rows) -> scored(rows));
        BatchDaemon first = computing(database.dataSource(), (tx, rows) -> {
            if (other.isEmpty()) {
                other.add(second.runOnce());
            }
            return scored(rows);
        });
        assertThat(first.runOnce().done()).isEqualTo(6);
        assertThat(other).extracting(Progress::done).containsExactly(14L);
        assertThat(Ads.writes(database)).containsExactly(1);
    }

    @Test
    void killedInTheMiddleItRepeatsNothingThatCommitted() {
        for (int boundary = 1; ; boundary++) {
            Ads.create(database, 20);
            Cuts cuts = new Cuts(database, boundary);
            BatchDaemon daemon = computing(cuts.dataSource(), (tx, rows) -> scored(rows));
            long waiting = 20;
            while (waiting > 0) {
                try {
                    waiting = daemon.runOnce().waiting();
                } catch (DataAccessException cut) {
                    assertThat(Ads.scored(database) % 6).isIn(0, 2);
                }
            }
            assertThat(Ads.writes(database)).containsExactly(1);
            if (!cuts.happened()) {
                assertThat(boundary).isGreaterThan(20);
                return;
            }
        }
    }
}
