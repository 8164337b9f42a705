package dev.tributary.batch;

import static dev.tributary.batch.Ads.ADS;
import static dev.tributary.batch.Ads.ID;
import static dev.tributary.batch.Ads.WRITES;
import static dev.tributary.db.Tables.BATCH_CURSORS;
import static dev.tributary.db.Tables.BATCH_SET_ASIDE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.not;

import dev.tributary.support.Database;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A row that a cursor has gone past since it could not be written: its place is kept beside the position. */
class FailedCursorRowsTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    @BeforeEach
    void rows() {
        Ads.create(database, 40);
    }

    private static BatchDaemon on(BatchOptions options, int batchSize) {
        return options.batchSize(batchSize).on(database.pool());
    }

    /** Of a cursor it is kept: behind the position nobody would come back to the row. */
    @Test
    void anotherDaemonOfTheCursorTriesTheRowAgain() {
        Ads.refuse(database, "23", "23514");
        on(Way.CURSOR.scoring(), 16).runOnce();
        var kept = database.sql(db -> db.selectFrom(BATCH_SET_ASIDE).fetchSingle());
        assertThat(kept.getName()).isEqualTo("walk");
        assertThat(kept.getPlace()).containsExactly("23");
        assertThat(kept.getError()).startsWith("23514 ERROR: not this one");
        long done = database.sql(db -> db.fetchSingle(BATCH_CURSORS).getDone());
        assertThat(done).isEqualTo(39);

        assertThat(on(Way.CURSOR.scoring(), 16).runOnce().failed()).isOne();
        Ads.refuseNoMore(database);
        assertThat(on(Way.CURSOR.scoring(), 16).runOnce().done()).isOne();
        assertThat(Ads.writes(database)).containsExactly(1);
        int left = database.sql(db -> db.fetchCount(BATCH_SET_ASIDE));
        assertThat(left).isZero();
        done = database.sql(db -> db.fetchSingle(BATCH_CURSORS).getDone());
        assertThat(done).isEqualTo(40);
    }

    @Test
    void aRowThatIsGoneOrGivenUpIsTriedNoMore() {
        Ads.refuse(database, "5, 6", "23514");
        BatchDaemon daemon = on(Way.CURSOR.scoring(), 16);
        assertThat(daemon.runOnce().failed()).isEqualTo(2);
        database.execute("DELETE FROM ads WHERE id = 5");
        database.execute("DELETE FROM tributary.batch_set_aside WHERE place = '{6}'");
        Progress progress = daemon.runOnce();
        assertThat(progress.failed()).isZero();
        assertThat(progress.waiting()).isZero();
        int left = database.sql(db -> db.fetchCount(BATCH_SET_ASIDE));
        assertThat(left).isZero();
    }

    @Test
    void resetForgetsThemToo() {
        Ads.refuse(database, "5", "23514");
        BatchDaemon daemon = on(Way.CURSOR.scoring(), 16);
        daemon.runOnce();
        Ads.refuseNoMore(database);
        daemon.reset();
        assertThat(daemon.runOnce().done()).isEqualTo(40);
        assertThat(Ads.writes(database)).containsExactly(1, 2);
    }

    /** The next sweep does not fall over it again: it is passed, and tried alone. */
    @Test
    void aRepeatingWalkGoesOnWithoutIt() {
        Ads.refuse(database, "23", "23514");
        BatchDaemon daemon =
                on(Ads.walking(BatchDaemon.named("walk").over(ADS).keyset(ID).repeating()), 16);
        for (int sweep = 1; sweep <= 3; sweep++) {
            assertThat(daemon.runOnce().failed()).isOne();
            int written = sweep;
            int others =
                    database.sql(db -> db.fetchCount(ADS, WRITES.eq(written).and(not(ID.eq(23L)))));
            assertThat(others).isEqualTo(39);
        }
        Ads.refuseNoMore(database);
        daemon.runOnce();
        assertThat(Ads.unscored(database)).isEmpty();
    }
}
