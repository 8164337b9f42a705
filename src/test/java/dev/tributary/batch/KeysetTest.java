package dev.tributary.batch;

import static dev.tributary.batch.Ads.ADS;
import static dev.tributary.batch.Ads.ID;
import static dev.tributary.batch.Ads.SEEN_AT;
import static dev.tributary.batch.Ads.TRUST_SCORE;
import static dev.tributary.batch.Ads.WRITES;
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
import java.util.stream.Stream;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    void aThousandRowsOfOneTimeInPagesOfTenWithANewDaemonForEach() {
        Ads.create(database, 1_000);
        database.execute("UPDATE ads SET seen_at = now()");
        long done = 0;
        for (int page = 0; page < 101; page++) {
            done += aBatchOf(10, Ads.walking(bySeenAt())).runOnce().done();
        }
        assertThat(done).isEqualTo(1_000);
        everyRowWasWrittenOnce();
        assertThat(cursor().getDone()).isEqualTo(1_000);
    }

    @Test
    void timesApartByAMicrosecondAreToldApart() {
        database.execute("UPDATE ads SET seen_at = timestamptz '2024-02-29 23:59:59.999990+01'"
                + " + (id % 20) * interval '1 microsecond'");
        for (int page = 0; page < 41; page++) {
            aBatchOf(1, Ads.walking(bySeenAt())).runOnce();
        }
        everyRowWasWrittenOnce();
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
    void rowsWithoutASortKeyComeFirst() {
        database.execute("UPDATE ads SET seen_at = 'epoch' WHERE id % 3 = 0");
        List<List<Long>> pages = new ArrayList<>();
        BatchOptions noting = bySeenAt().compute((tx, rows) -> {
            pages.add(rows.stream().map(row -> row.get(ID)).toList());
            return List.of();
        });
        assertThat(on(noting, 5).runOnce().done()).isEqualTo(40);
        List<Long> withoutKey =
                LongStream.rangeClosed(1, 40).filter(id -> id % 3 != 0).boxed().toList();
        List<Long> withKey =
                LongStream.rangeClosed(1, 40).filter(id -> id % 3 == 0).boxed().toList();
        assertThat(pages.stream().flatMap(List::stream))
                .containsExactlyElementsOf(
                        Stream.of(withoutKey, withKey).flatMap(List::stream).toList());
        assertThat(pages).allSatisfy(page -> assertThat(page).hasSizeLessThanOrEqualTo(5));
    }

    @Test
    void aRowThatGetsItsSortKeyLaterComesAgain() {
        on(Ads.walking(bySeenAt()), 7).runOnce();
        everyRowWasWrittenOnce();
        database.execute("UPDATE ads SET seen_at = now() WHERE id = 3");
        assertThat(on(Ads.walking(bySeenAt()), 7).runOnce().done()).isOne();
        List<Long> twice =
                database.sql(db -> db.select(ID).from(ADS).where(WRITES.eq(2)).fetch(ID));
        assertThat(twice).containsExactly(3L);
    }

    /** The position is kept as the server's text, and read by the server again. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "timestamptz: '-infinity', '0044-03-15 12:00 BC', '1900-01-01 00:00:00.000001+00:19:32', '2024-02-29', 'infinity'",
                "timestamp: '4713-01-01 BC', '2024-10-27 02:30:00.123456', '294276-12-31 23:59:59.999999'",
                "date: '0044-03-15 BC', '0001-01-01', 'infinity'",
                "interval: '-1 mon', '1 day -00:00:00.000001', '1 day', '1 year 2 mons 3 days'",
                "numeric: '-1e-30', '0.1', '0.10000000000000000000000000001', '1e300', 'NaN'",
                "double precision: '-Infinity', '-0.1', '4.9e-324', '0.1', '0.30000000000000004', 'NaN'",
                "real: '0.1', '0.10000001', '3.4e38'",
                "bigint: '-9223372036854775808', '9007199254740993', '9223372036854775807'",
                "text: '', ' ', 'a''b', 'A\\', '{\"a\",NULL}', 'é', '漢', 'NULL'",
                "\"char\": 'a', 'z'",
                "bytea: '\\x', '\\x00', '\\x00ff', '\\xff'",
                "uuid: '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'",
                "inet: '10.0.0.0/8', '10.0.0.1', '::1'",
                "boolean: 'f', 't'",
                "int[]: '{}', '{1,NULL}', '{1,2}'",
                "mood: 'sad', 'ok', 'happy'"
            })
    void thePositionIsExactForEveryType(String typeAndValues) {
        String[] parts = typeAndValues.split(": ", 2);
        database.execute("DROP TYPE IF EXISTS mood CASCADE; CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')");
        database.execute("ALTER TABLE ads ADD sort " + parts[0]);
        database.execute("DELETE FROM ads; INSERT INTO ads (id, sort) SELECT 100 * v.n + tie, v.sort::" + parts[0]
                + " FROM unnest(ARRAY[" + parts[1] + ", NULL]) WITH ORDINALITY v (sort, n), generate_series(1, 3) tie");
        int rows = database.sql(db -> db.fetchCount(ADS));
        for (int page = 0; page <= rows; page++) {
            aBatchOf(1, Ads.walking(BatchDaemon.named("walk").over(ADS).keyset(field(name("sort")), ID)))
                    .runOnce();
        }
        everyRowWasWrittenOnce();
    }

    @Test
    void anIdOfSeveralColumns() {
        database.execute("UPDATE ads SET writes = id % 4, seen_at = 'epoch'");
        Keyset<Record> keyset =
                BatchDaemon.named("walk").over(ADS).key(WRITES, ID).keyset(SEEN_AT, WRITES, ID);
        // One more than there are pages: the first finds no row without a sort key.
        for (int page = 0; page < 15; page++) {
            aBatchOf(3, keyset.set(TRUST_SCORE, TRUST_SCORE.plus(1))).runOnce();
        }
        assertThat(cursor().getPosition()[0]).startsWith("1970-01-01");
        assertThat(cursor().getPosition()).endsWith("3", "39");
        assertThat(cursor().getKeyset()).containsExactly("seen_at", "writes", "id");
        assertThat(cursor().getDone()).isEqualTo(40);
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
