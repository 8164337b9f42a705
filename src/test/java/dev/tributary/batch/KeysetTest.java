package dev.tributary.batch;

import static dev.tributary.batch.Ads.ADS;
import static dev.tributary.batch.Ads.ID;
import static dev.tributary.batch.Ads.SEEN_AT;
import static dev.tributary.batch.Ads.TRUST_SCORE;
import static dev.tributary.db.Tables.BATCH_CURSORS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import dev.tributary.InvalidArgument;
import dev.tributary.db.tables.records.BatchCursorsRecord;
import dev.tributary.support.Database;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A walk in strict order, whose position outlives the daemon. */
class KeysetTest {
    private static final Table<Record> COPIES = table(name("copies"));
    private static final Field<Long> N = field(name("n"), SQLDataType.BIGINT.identity(true));
    private static final Field<Long> AD_ID = field(name("ad_id"), SQLDataType.BIGINT);

    private static final List<Long> FROM_40_TO_1 =
            LongStream.rangeClosed(1, 40).map(i -> 41 - i).boxed().toList();

    @RegisterExtension
    static final Database database = Database.migrated();

    @BeforeEach
    void rows() {
        Ads.create(database, 40);
    }

    private static Keyset<Record> bySeenAt() {
        return BatchDaemon.named("walk").over(ADS).keyset(SEEN_AT, ID);
    }

    private static Keyset<Record> byId() {
        return BatchDaemon.named("walk").over(ADS).keyset(ID);
    }

    private static BatchDaemon on(BatchOptions options, int batchSize) {
        return options.batchSize(batchSize).on(database.pool());
    }

    /** One batch a run, so that each daemon does one. */
    private static BatchDaemon aBatchOf(int rows, BatchOptions options) {
        return on(options.timeBudget(Duration.ofNanos(1)), rows);
    }

    private static BatchCursorsRecord cursor() {
        return database.sql(db -> db.selectFrom(BATCH_CURSORS).fetchSingle());
    }

    private static void everyRowWasWrittenOnce() {
        assertThat(Ads.writes(database)).containsExactly(1);
    }

    @Test
    void aGapInTheIdsIsNoEnd() {
        database.execute("DELETE FROM ads");
        Ads.insert(database, 1, 5);
        Ads.insert(database, 15_001, 15_010);
        assertThat(on(Ads.walking(byId()), 4).runOnce().done()).isEqualTo(15);
        everyRowWasWrittenOnce();
    }

    @Test
    void rowsThatAreNotToBeWrittenAreWalkedPast() {
        Progress progress =
                on(Ads.walking(byId().filter(ID.gt(10L)).filter(ID.le(20L))), 7).runOnce();
        assertThat(progress.done()).isEqualTo(40);
        assertThat(Ads.unscored(database)).hasSize(30).doesNotContain(11L, 20L);
    }

    @Test
    void deletesAll() {
        Ads.create(database, 300);
        assertThat(on(byId().delete(), 100).runOnce().done()).isEqualTo(300);
        int left = database.sql(db -> db.fetchCount(ADS));
        assertThat(left).isZero();
    }

    @Test
    void copiesAllInOrder() {
        database.execute("DROP TABLE IF EXISTS copies");
        database.execute("CREATE TABLE copies (n bigint GENERATED ALWAYS AS IDENTITY, ad_id bigint)");
        database.execute("UPDATE ads SET seen_at = 'epoch'::timestamptz - id * interval '1 s'");
        assertThat(on(bySeenAt().insertInto(COPIES, AD_ID, ID), 7).runOnce().done())
                .isEqualTo(40);
        List<Long> copies =
                database.sql(db -> db.select(AD_ID).from(COPIES).orderBy(N).fetch(AD_ID));
        assertThat(copies).isEqualTo(FROM_40_TO_1);
    }

    @Test
    void computesInJavaInOrder() {
        database.execute("UPDATE ads SET seen_at = 'epoch'::timestamptz - id * interval '1 s'");
        List<Long> ids = new ArrayList<>();
        BatchOptions computed = bySeenAt().compute((tx, rows) -> {
            rows.forEach(row -> {
                ids.add(row.get(ID));
                row.set(TRUST_SCORE, row.get(ID).intValue());
            });
            return rows;
        });
        assertThat(on(computed, 7).runOnce().done()).isEqualTo(40);
        assertThat(ids)
                .isEqualTo(
                        LongStream.rangeClosed(1, 40).map(i -> 41 - i).boxed().toList());
        assertThat(Ads.scored(database)).isEqualTo(40);
    }

    @Test
    void atTheEndItWaitsForNewRows() {
        BatchDaemon daemon = on(Ads.walking(byId()), 10);
        Progress first = daemon.runOnce();
        assertThat(first.done()).isEqualTo(40);
        assertThat(first.waiting()).isZero();
        assertThat(daemon.runOnce().selected()).isZero();
        Ads.insert(database, 41, 43);
        assertThat(daemon.runOnce().done()).isEqualTo(3);
        everyRowWasWrittenOnce();
    }

    @Test
    void repeatingItBeginsAgainWithEachRun() {
        BatchDaemon daemon = on(Ads.walking(byId().repeating()), 10);
        for (int sweep = 1; sweep <= 3; sweep++) {
            Progress progress = daemon.runOnce();
            assertThat(progress.done()).isEqualTo(40);
            assertThat(progress.waiting()).isZero();
            assertThat(Ads.writes(database)).containsExactly(sweep);
        }
        assertThat(cursor().getPosition()).isNull();
        assertThat(cursor().getDone()).isEqualTo(120);
    }

    @Test
    void aRepeatingSweepGoesOnWhereItWasStopped() {
        for (int page = 0; page < 5; page++) {
            assertThat(aBatchOf(10, Ads.walking(byId().repeating())).runOnce().waiting())
                    .isEqualTo(Math.max(0, 40 - 10 * (page + 1)));
        }
        everyRowWasWrittenOnce();
    }

    @Test
    void whatWaitsIsWhatLiesAhead() {
        database.execute("UPDATE ads SET seen_at = 'epoch' WHERE id > 20");
        BatchDaemon daemon = aBatchOf(15, Ads.walking(bySeenAt()));
        assertThat(daemon.runOnce().waiting()).isEqualTo(25);
        assertThat(daemon.runOnce().waiting()).isEqualTo(20);
        assertThat(daemon.runOnce().waiting()).isEqualTo(5);
    }

    @Test
    void resetBeginsAtTheFirstRow() {
        BatchDaemon daemon = on(Ads.walking(byId()), 10);
        daemon.runOnce();
        daemon.reset();
        assertThat(daemon.runOnce().done()).isEqualTo(40);
        assertThat(Ads.writes(database)).containsExactly(2);
        assertThat(cursor().getDone()).isEqualTo(40);
    }

    @Test
    void resetOfADaemonWithoutACursorBeginsItsSweepAnew() {
        BatchDaemon daemon = aBatchOf(10, Ads.scoring("sweep"));
        daemon.runOnce();
        database.execute("UPDATE ads SET trust_score = NULL WHERE id <= 5");
        daemon.reset();
        daemon.runOnce();
        assertThat(Ads.unscored(database))
                .hasSize(25)
                .doesNotContain(1L, 5L, 15L)
                .contains(16L);
    }

    @Test
    void aCursorOfOtherColumnsIsRefusedUntilItIsReset() {
        on(Ads.walking(bySeenAt()), 10).runOnce();
        BatchDaemon other = on(Ads.walking(byId()), 10);
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(other::runOnce)
                .withMessage("the cursor \"walk\" has walked by [seen_at, id] and this daemon walks by [id]:"
                        + " give it another name, or reset() it");
        other.reset();
        assertThat(other.runOnce().done()).isEqualTo(40);
    }

    @Test
    void aKeyThatIsNotUniqueOrNullIsRefused() {
        database.execute("ALTER TABLE ads ADD part integer; UPDATE ads SET part = id / 2");
        Field<Integer> part = field(name("part"), SQLDataType.INTEGER);
        BatchDaemon daemon = on(Ads.walking(BatchDaemon.named("walk").over(ADS).keyset(SEEN_AT, part)), 3);
        assertThatExceptionOfType(NotAKey.class).isThrownBy(daemon::runOnce).withMessageContaining("is not unique");
        database.execute("UPDATE ads SET part = nullif(id, 7)");
        daemon.reset();
        assertThatExceptionOfType(NotAKey.class)
                .isThrownBy(on(Ads.walking(BatchDaemon.named("walk").over(ADS).keyset(SEEN_AT, part)), 50)::runOnce)
                .withMessageContaining("has null in its key");
    }

    @Test
    void anEmptyTableIsNothingToDo() {
        database.execute("DELETE FROM ads");
        assertThat(on(Ads.walking(bySeenAt()), 10).runOnce().waiting()).isZero();
        assertThat(on(Ads.walking(bySeenAt().repeating()), 10).runOnce().waiting())
                .isZero();
    }
}
