package dev.tributary.batch;

import static dev.tributary.batch.Ads.ADS;
import static dev.tributary.batch.Ads.ID;
import static dev.tributary.batch.Ads.SEEN_AT;
import static dev.tributary.batch.Ads.TRUST_SCORE;
import static dev.tributary.batch.Ads.WRITES;
import static dev.tributary.db.Tables.BATCH_CURSORS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;

import dev.tributary.db.tables.records.BatchCursorsRecord;
import dev.tributary.support.Database;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jooq.Record;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a walk is, exactly: no row is written twice and none is left out, whatever the type of the key. */
class KeysetPositionTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    @BeforeEach
    void rows() {
        Ads.create(database, 40);
    }

    private static Keyset<Record> bySeenAt() {
        return BatchDaemon.named("walk").over(ADS).keyset(SEEN_AT, ID);
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
}
