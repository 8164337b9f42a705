package dev.tributary.batch;

import static dev.tributary.batch.Ads.ADS;
import static dev.tributary.batch.Ads.ID;
import static dev.tributary.batch.Ads.TRUST_SCORE;
import static dev.tributary.support.Session.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import dev.tributary.support.Cuts;
import dev.tributary.support.Database;
import dev.tributary.support.Gate;
import dev.tributary.support.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Daemons beside each other, beside writers, and cut off. */
class BatchRaceTest {
    private static final Table<Record> COPIES = table(name("copies"));
    private static final Field<Long> AD_ID = field(name("ad_id"), SQLDataType.BIGINT);
    private static final Condition COPIED = Ads.isNotIn(COPIES, AD_ID);

    @RegisterExtension
    static final Database database = Database.migrated();

    @BeforeEach
    void rows() {
        Ads.create(database, 20);
        database.execute("DROP TABLE IF EXISTS copies");
        database.execute("CREATE TABLE copies (ad_id bigint)");
    }

    private static BatchDaemon scoring(DataSource dataSource) {
        return Ads.scoring("scoring").batchSize(5).on(dataSource);
    }

    /** One holds its first batch uncommitted; the other does the rest meanwhile; then the one finds nothing more. */
    @Test
    void twoDaemonsShareTheWork() {
        List<Progress> other = new ArrayList<>();
        BatchDaemon second = scoring(database.dataSource());
        BatchDaemon first = scoring(Gate.beforeCommit(1, database.dataSource(), () -> other.add(second.runOnce())));
        Progress progress = first.runOnce();
        assertThat(other).extracting(Progress::done).containsExactly(15L);
        assertThat(progress.done()).isEqualTo(5);
        assertThat(progress.waiting()).isZero();
        assertThat(Ads.writes(database)).containsExactly(1);
    }

    @Test
    void rowsThatAnotherHasLockedArePassedOverAndComeInTheNextSweep() {
        BatchDaemon daemon = scoring(database.dataSource());
        try (Session writer = database.session()) {
            writer.executes("SELECT 1 FROM ads WHERE id IN (1, 7, 20) FOR UPDATE");
            Progress progress = daemon.runOnce();
            assertThat(progress.done()).isEqualTo(17);
            assertThat(progress.waiting()).isEqualTo(3);
            assertThat(Ads.unscored(database)).containsExactly(1L, 7L, 20L);
            writer.rollsBack();
        }
        assertThat(daemon.runOnce().done()).isEqualTo(3);
    }

    /** It commits with a lower key, when the walk is past it. */
    @Test
    void aRowThatCommitsBehindTheWalkComesInTheNextSweep() {
        try (Session late = database.session()) {
            late.executes("INSERT INTO ads (id) VALUES (0)");
            BatchDaemon daemon = scoring(Gate.beforeCommit(2, database.dataSource(), late::commits));
            assertThat(daemon.runOnce().waiting()).isOne();
            assertThat(Ads.unscored(database)).containsExactly(0L);
            assertThat(daemon.runOnce().done()).isOne();
        }
    }

    /** The condition is looked at again on the row as it was committed. */
    @Test
    void aRowThatIsDoneMeanwhileIsNotDoneAgain() {
        BatchDaemon daemon = scoring(Gate.beforeCommit(
                1, database.dataSource(), () -> database.execute("UPDATE ads SET trust_score = 7 WHERE id = 12")));
        assertThat(daemon.runOnce().done()).isEqualTo(19);
        assertThat(Ads.writes(database)).containsExactly(0, 1);
    }

    /** The choice of the one is made on a snapshot in which nothing is copied; the other copies all before it has a lock. */
    @Test
    void aRowIsCopiedOnceThoughCopyingDoesNotChangeIt() {
        try (Session gate = database.session()) {
            gate.executes("SELECT pg_advisory_xact_lock(1)");
            BatchDaemon waits = copying(COPIED.and(condition("pg_advisory_xact_lock_shared(1) IS NOT NULL")));
            CompletableFuture<Progress> slow =
                    CompletableFuture.supplyAsync(waits::runOnce, task -> new Thread(task).start());
            gate.awaitBlocking();
            assertThat(copying(COPIED).runOnce().done()).isEqualTo(20);
            gate.commits();
            result(slow);
        }
        List<Long> copies =
                database.sql(db -> db.select(AD_ID).from(COPIES).orderBy(AD_ID).fetch(AD_ID));
        assertThat(copies).isEqualTo(LongStream.rangeClosed(1, 20).boxed().toList());
    }

    private static BatchDaemon copying(Condition condition) {
        return BatchDaemon.named("copying")
                .over(ADS)
                .key(ID)
                .whileTrue(condition)
                .insertInto(COPIES, AD_ID, ID)
                .batchSize(6)
                .on(database.pool());
    }

    /** The backend is dropped before each statement and each commit in turn. */
    @Test
    void aDaemonThatIsKilledRepeatsNothingThatCommitted() {
        for (int boundary = 1; ; boundary++) {
            Ads.create(database, 20);
            Cuts cuts = new Cuts(database, boundary);
            BatchDaemon daemon = scoring(cuts.dataSource());
            long waiting = 20;
            while (waiting > 0) {
                try {
                    waiting = daemon.runOnce().waiting();
                } catch (DataAccessException cut) {
                    assertThat(cuts.happened()).isTrue();
                    assertThat(Ads.scored(database) % 5).isZero();
                }
            }
            assertThat(Ads.unscored(database)).isEmpty();
            assertThat(Ads.writes(database)).containsExactly(1);
            if (!cuts.happened()) {
                assertThat(boundary).isGreaterThan(15);
                return;
            }
        }
    }

    @Test
    void aDaemonMadeAnewGoesOnWhereTheKilledOneWas() {
        Cuts cuts = new Cuts(database, 8);
        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(() -> scoring(cuts.dataSource()).runOnce());
        int before = Ads.scored(database);
        assertThat(before).isBetween(5, 15);
        assertThat(scoring(database.dataSource()).runOnce().done()).isEqualTo(20 - before);
        assertThat(Ads.writes(database)).containsExactly(1);
    }

    /** Four daemons, a writer that inserts and one that deletes; what existed all the while is done once. */
    @Test
    void amidInsertsAndDeletesEveryRowIsDoneOnce() {
        int rows = 12_000;
        Ads.create(database, rows);
        AtomicLong done = new AtomicLong();
        List<CompletableFuture<Void>> all = Stream.concat(
                        IntStream.range(0, 4)
                                .<Runnable>mapToObj(daemon -> () -> done.addAndGet(Ads.scoring("d" + daemon)
                                        .batchSize(500)
                                        .on(database.pool())
                                        .runOnce()
                                        .done())),
                        Stream.of(
                                () -> IntStream.range(0, 100)
                                        .forEach(i -> Ads.insert(database, rows + 10 * i + 1, rows + 10 * i + 10)),
                                () -> IntStream.range(0, 100)
                                        .forEach(i ->
                                                database.execute("DELETE FROM ads WHERE id % 100 = 99 AND id BETWEEN "
                                                        + (i * 120) + " AND " + (i * 120 + 119)))))
                .map(task -> CompletableFuture.runAsync(task, run -> new Thread(run).start()))
                .toList();
        all.forEach(Session::result);
        done.addAndGet(scoring(database.dataSource()).runOnce().done());
        assertThat(Ads.unscored(database)).isEmpty();
        assertThat(Ads.writes(database)).containsExactly(1);
        int left = database.sql(db -> db.fetchCount(ADS, TRUST_SCORE.isNotNull()));
        assertThat(left).isBetween(rows + 1_000 - 120, rows + 1_000 - 100);
        assertThat(done.get()).isBetween((long) left, (long) rows + 1_000);
    }
}
