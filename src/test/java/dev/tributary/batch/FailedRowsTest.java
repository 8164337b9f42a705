package dev.tributary.batch;

import static dev.tributary.batch.Ads.ADS;
import static dev.tributary.batch.Ads.ID;
import static dev.tributary.batch.Ads.TRUST_SCORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.jooq.impl.DSL.inline;

import dev.tributary.support.Database;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.Record;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A row whose write raises: it is set aside and told, the others are done, and it is tried again with every run. */
class FailedRowsTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final List<BatchListener.RowSetAside> told = new ArrayList<>();
    private final List<Stall> stalls = new ArrayList<>();

    private final BatchListener listener = new BatchListener() {
        @Override
        public void rowSetAside(RowSetAside event) {
            told.add(event);
        }

        @Override
        public void stalled(Stalled event) {
            stalls.add(event.stall());
        }
    };

    @BeforeEach
    void rows() {
        Ads.create(database, 40);
    }

    private BatchDaemon on(BatchOptions options, int batchSize) {
        return options.batchSize(batchSize).listener(listener).on(database.pool());
    }

    static Stream<Arguments> oneAmongTenThousand() {
        return Stream.of(Way.SET, Way.CURSOR)
                .flatMap(way -> Stream.of(1L, 4_321L, 10_000L).map(id -> Arguments.of(way, id)));
    }

    @ParameterizedTest
    @MethodSource
    void oneAmongTenThousand(Way way, long id) {
        Ads.create(database, 10_000);
        Ads.refuse(database, String.valueOf(id), "P0001");
        BatchDaemon daemon = on(way.scoring(), 1_000);
        Progress first = daemon.runOnce();
        assertThat(first.done()).isEqualTo(9_999);
        assertThat(first.failed()).isOne();
        assertThat(first.waiting()).isOne();
        assertThat(Ads.unscored(database)).containsExactly(id);
        assertThat(told).extracting(BatchListener.RowSetAside::key).containsExactly(String.valueOf(id));

        Progress again = daemon.runOnce();
        assertThat(again.failed()).isOne();
        assertThat(again.done()).isZero();
        assertThat(told).as("told once").hasSize(1);

        Ads.refuseNoMore(database);
        Progress mended = daemon.runOnce();
        assertThat(mended.done()).isOne();
        assertThat(mended.failed()).isZero();
        assertThat(mended.waiting()).isZero();
        assertThat(Ads.writes(database)).containsExactly(1);
    }

    /** The seed's kind: row 5 of 1,000 divides by zero, batches of 10. */
    @Test
    void aDivisionByZeroDoesNotBlockThoseBehindIt() {
        Ads.create(database, 1_000);
        BatchDaemon daemon = on(
                Way.SET
                        .work()
                        .set(
                                TRUST_SCORE,
                                inline(100).div(ID.cast(SQLDataType.INTEGER).minus(inline(5)))),
                10);
        Progress progress = daemon.runOnce();
        assertThat(progress.done()).isEqualTo(999);
        assertThat(progress)
                .hasToString(progress.toString())
                .extracting(Progress::failed)
                .isEqualTo(1L);
        assertThat(progress.toString()).endsWith(", 1 failed");
        assertThat(Ads.unscored(database)).containsExactly(5L);
        assertThat(told).singleElement().satisfies(row -> {
            assertThat(row.daemon()).isEqualTo("walk");
            assertThat(row.key()).isEqualTo("5");
            assertThat(row.cause()).isInstanceOf(DataAccessException.class).hasMessageContaining("division by zero");
        });
    }

    @ParameterizedTest
    @EnumSource
    void severalSideBySideAndApart(Way way) {
        database.execute("ALTER TABLE ads ADD CONSTRAINT no CHECK (trust_score NOT IN (1, 2, 3, 17, 18, 33, 40))");
        BatchDaemon daemon = on(way.scoring(), 8);
        Progress progress = daemon.runOnce();
        assertThat(progress.done()).isEqualTo(33);
        assertThat(progress.failed()).isEqualTo(7);
        assertThat(progress.selected()).isEqualTo(40);
        assertThat(progress.waiting()).isEqualTo(7);
        assertThat(told)
                .extracting(BatchListener.RowSetAside::key)
                .containsExactly("1", "2", "3", "17", "18", "33", "40");
        database.execute("ALTER TABLE ads DROP CONSTRAINT no");
        assertThat(daemon.runOnce().done()).isEqualTo(7);
        assertThat(Ads.writes(database)).containsExactly(1);
    }

    @ParameterizedTest
    @EnumSource
    void ifOnlyTheseWaitItIsAStall(Way way) {
        Ads.refuse(database, "7, 9", "23514");
        BatchDaemon daemon = on(way.scoring(), 8);
        daemon.runOnce();
        daemon.runOnce();
        assertThat(stalls).isEmpty();
        assertThat(daemon.runOnce().stalled()).isTrue();
        assertThat(stalls).containsExactly(new Stall(2, Stall.Reason.WRITE_FAILS, List.of("7", "9")));
        Ads.refuseNoMore(database);
        assertThat(daemon.runOnce().stalled()).isFalse();
    }

    /** So many are no rows that stand out: the error reaches the caller, and nothing has been passed. */
    @ParameterizedTest
    @EnumSource
    void ifAllFailTheRunEndsWithTheError(Way way) {
        Ads.create(database, 300);
        database.execute("ALTER TABLE ads ADD CONSTRAINT none CHECK (trust_score IS NULL)");
        BatchDaemon daemon = on(way.scoring(), 64);
        for (int run = 0; run < 2; run++) {
            assertThatExceptionOfType(DataAccessException.class)
                    .isThrownBy(daemon::runOnce)
                    .satisfies(e -> assertThat(e.sqlState()).isEqualTo("23514"));
            assertThat(told).hasSize(Refusal.MOST_ROWS);
        }
        database.execute("ALTER TABLE ads DROP CONSTRAINT none");
        assertThat(daemon.runOnce().done()).isEqualTo(300);
        assertThat(Ads.writes(database)).containsExactly(1);
    }

    /** Neither a privilege nor a missing function is a row's own fault. */
    @ParameterizedTest
    @EnumSource
    void otherErrorsEndTheRun(Way way) {
        Ads.refuse(database, "12", "42501");
        BatchDaemon daemon = on(way.scoring(), 5);
        assertThatExceptionOfType(DataAccessException.class).isThrownBy(daemon::runOnce);
        assertThat(Ads.scored(database)).isEqualTo(10);
        assertThat(told).isEmpty();
        Ads.refuseNoMore(database);
        assertThat(daemon.runOnce().done()).isEqualTo(30);
    }

    @ParameterizedTest
    @EnumSource
    void aComputationMaySayThatItIsForOneRowsSake(Way way) {
        BatchDaemon daemon = on(computing(way.work()), 16);
        assertThat(daemon.runOnce().done()).isEqualTo(39);
        assertThat(Ads.unscored(database)).containsExactly(23L);
        assertThat(told).singleElement().satisfies(row -> {
            assertThat(row.key()).isEqualTo("23");
            assertThat(row.cause()).isInstanceOf(RowFailed.class).hasMessage("ad 23 has no owner");
        });
        assertThat(daemon.runOnce().failed()).isOne();
    }

    private static <R extends Record> BatchOptions computing(BatchWork<R> work) {
        return work.compute((tx, rows) -> {
            rows.forEach(row -> {
                if (row.get(ID) == 23) {
                    throw new RowFailed("ad 23 has no owner", null);
                }
                row.set(TRUST_SCORE, 1);
            });
            return rows;
        });
    }

    @Test
    void whatAComputationThrowsElseEndsTheRun() {
        BatchDaemon daemon = on(
                Way.SET.work().compute((tx, rows) -> {
                    throw new IllegalStateException("down");
                }),
                16);
        assertThatExceptionOfType(BatchFailed.class).isThrownBy(daemon::runOnce);
        assertThat(told).isEmpty();
    }

    /** The copy of one row is there already. */
    @ParameterizedTest
    @EnumSource
    void aCopyThatIsRefused(Way way) {
        database.execute(
                "DROP TABLE IF EXISTS copies; CREATE TABLE copies (ad_id bigint PRIMARY KEY CHECK (ad_id <> 9))");
        var copies = org.jooq.impl.DSL.table(org.jooq.impl.DSL.name("copies"));
        var adId = org.jooq.impl.DSL.field(org.jooq.impl.DSL.name("ad_id"), SQLDataType.BIGINT);
        BatchWork<?> work = way == Way.SET
                ? BatchDaemon.named("walk").over(ADS).key(ID).whileTrue(Ads.isNotIn(copies, adId))
                : way.work();
        assertThat(on(work.insertInto(copies, adId, ID), 16).runOnce().failed()).isOne();
        int copied = database.sql(db -> db.fetchCount(copies));
        assertThat(copied).isEqualTo(39);
    }
}
