package dev.tributary.batch;

import static dev.tributary.batch.Ads.ADS;
import static dev.tributary.batch.Ads.ID;
import static dev.tributary.db.Tables.BATCH_CURSORS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.support.Database;
import dev.tributary.support.Gate;
import dev.tributary.support.Session;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A cursor beside transactions that commit lower keys than it has seen: it passes none of them over. */
class LateCommitTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    /** Reading the cursor; looking up the last row and who runs; then who still runs, unless nobody does. */
    private static final int FIRST_LOOK = 3;

    @BeforeEach
    void rows() {
        Ads.create(database, 20);
        database.execute("CREATE SEQUENCE ads_id OWNED BY ads.id; SELECT setval('ads_id', 20)");
        database.execute("ALTER TABLE ads ALTER id SET DEFAULT nextval('ads_id')");
    }

    private static BatchOptions walk() {
        return Ads.walking(BatchDaemon.named("walk").over(ADS).keyset(ID)).batchSize(5);
    }

    private static BatchDaemon walk(DataSource dataSource) {
        return walk().on(dataSource);
    }

    private static void insertOne() {
        database.execute("INSERT INTO ads DEFAULT VALUES");
    }

    private static void everyRowWasWrittenOnce() {
        assertThat(Ads.writes(database)).containsExactly(1);
    }

    private static long position() {
        return database.sql(db -> db.selectFrom(BATCH_CURSORS)
                .fetchOptional(BATCH_CURSORS.POSITION)
                .map(position -> Long.parseLong(position[0]))
                .orElse(0L));
    }

    /** One takes 21 and waits; 22 commits, and the cursor comes; then 21 commits. */
    @Test
    void aRowThatCommitsLateWithALowerKeyIsNotPassedOver() {
        BatchDaemon daemon = walk(database.pool());
        assertThat(daemon.runOnce().done()).isEqualTo(20);
        try (Session late = database.session()) {
            late.executes("INSERT INTO ads DEFAULT VALUES");
            insertOne();
            Progress held = daemon.runOnce();
            assertThat(held.done()).isZero();
            assertThat(held.waiting()).isOne();
            assertThat(position()).isEqualTo(20);
            late.commits();
        }
        assertThat(daemon.runOnce().done()).isEqualTo(2);
        everyRowWasWrittenOnce();
    }

    /** It has taken its key and written nothing yet: the server knows no transaction id of it. */
    @Test
    void aKeyThatIsTakenAndNotYetWrittenHoldsTheWalkBackToo() {
        BatchDaemon daemon = walk(database.pool());
        daemon.runOnce();
        try (Session late = database.session()) {
            late.executes("SELECT 1");
            database.execute("SELECT nextval('ads_id')");
            insertOne();
            assertThat(daemon.runOnce().done()).isZero();
            late.executes("INSERT INTO ads (id) VALUES (21)");
            late.commits();
        }
        assertThat(daemon.runOnce().done()).isEqualTo(2);
        everyRowWasWrittenOnce();
    }

    /** The run waits a while for the late one, and finds both. */
    @Test
    void aRunWaitsForATransactionThatEndsSoon() {
        walk(database.pool()).runOnce();
        try (Session late = database.session()) {
            late.executes("INSERT INTO ads DEFAULT VALUES");
            insertOne();
            DataSource gated = Gate.beforeConnection(FIRST_LOOK, database.dataSource(), late::commits);
            assertThat(walk(gated).runOnce().done()).isEqualTo(2);
        }
        everyRowWasWrittenOnce();
    }

    @Test
    void aPreparedTransactionHoldsTheWalkBackUntilItIsCommitted() {
        BatchDaemon daemon = walk(database.pool());
        daemon.runOnce();
        try (Session late = database.session()) {
            late.executes("INSERT INTO ads DEFAULT VALUES");
            insertOne();
            late.executes("PREPARE TRANSACTION 'late'");
        }
        assertThat(daemon.runOnce().done()).isZero();
        database.execute("COMMIT PREPARED 'late'");
        assertThat(daemon.runOnce().done()).isEqualTo(2);
        everyRowWasWrittenOnce();
    }

    /** It is waited for as a session first, and is none any more when it is looked for again. */
    @Test
    void aTransactionThatIsPreparedWhileItIsWaitedForStillHoldsTheWalkBack() {
        BatchDaemon daemon = walk(database.pool());
        daemon.runOnce();
        try (Session late = database.session()) {
            late.executes("INSERT INTO ads DEFAULT VALUES");
            insertOne();
            assertThat(daemon.runOnce().done()).isZero();
            late.executes("PREPARE TRANSACTION 'late'");
        }
        assertThat(daemon.runOnce().done()).isZero();
        database.execute("COMMIT PREPARED 'late'");
        assertThat(daemon.runOnce().done()).isEqualTo(2);
        everyRowWasWrittenOnce();
    }

    /** Only those that ran then are waited for: later ones, however long, do not move the goal. */
    @Test
    void transactionsThatBeginLaterDoNotHoldTheWalkBack() {
        BatchDaemon daemon = walk(database.pool());
        daemon.runOnce();
        try (Session late = database.session();
                Session later = database.session()) {
            late.executes("INSERT INTO ads DEFAULT VALUES");
            insertOne();
            assertThat(daemon.runOnce().done()).isZero();
            later.executes("INSERT INTO ads DEFAULT VALUES");
            late.commits();
            assertThat(daemon.runOnce().done()).isEqualTo(2);
            later.commits();
        }
        assertThat(daemon.runOnce().done()).isOne();
        everyRowWasWrittenOnce();
    }

    @Test
    void aWalkThatIsHeldBackStallsAndSaysWhy() {
        List<Stall> stalls = new ArrayList<>();
        BatchDaemon daemon = walk().listener(new BatchListener() {
                    @Override
                    public void stalled(Stalled event) {
                        stalls.add(event.stall());
                    }
                })
                .on(database.dataSource());
        daemon.runOnce();
        try (Session late = database.session()) {
            late.executes("INSERT INTO ads DEFAULT VALUES");
            insertOne();
            daemon.runOnce();
            assertThat(stalls).isEmpty();
            assertThat(daemon.runOnce().stalled()).isTrue();
            assertThat(stalls).containsExactly(new Stall(1, Stall.Reason.HELD_BACK, List.of("22")));
            late.commits();
        }
        assertThat(daemon.runOnce().stalled()).isFalse();
        everyRowWasWrittenOnce();
    }

    /** A repeating walk waits for nobody; what it passed over comes in the next sweep. */
    @Test
    void aRowThatARepeatingWalkPassedOverComesInTheNextSweep() {
        BatchDaemon daemon = Ads.walking(
                        BatchDaemon.named("walk").over(ADS).keyset(ID).repeating())
                .batchSize(5)
                .on(database.dataSource());
        try (Session late = database.session()) {
            late.executes("INSERT INTO ads DEFAULT VALUES");
            insertOne();
            assertThat(daemon.runOnce().done()).isEqualTo(21);
            late.commits();
        }
        assertThat(daemon.runOnce().done()).isEqualTo(22);
    }
}
