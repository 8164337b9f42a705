package dev.tributary.batch;

import static dev.tributary.batch.Ads.ADS;
import static dev.tributary.batch.Ads.ID;
import static dev.tributary.batch.Ads.TRUST_SCORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.nullif;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.trueCondition;
import static org.jooq.impl.DSL.when;

import dev.tributary.support.Database;
import dev.tributary.support.Session;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Rows that do not leave the set: the others are done, and the stall is told once, with the reason. */
class StallTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final List<Stall> stalls = new ArrayList<>();
    private final List<Progress> recoveries = new ArrayList<>();

    private final BatchListener listener = new BatchListener() {
        @Override
        public void stalled(Stalled event) {
            stalls.add(event.stall());
        }

        @Override
        public void recovered(Recovered event) {
            recoveries.add(event.progress());
        }
    };

    @BeforeEach
    void rows() {
        Ads.create(database, 10);
    }

    private static ProgressSet<?> unscored() {
        return BatchDaemon.named("stall").over(ADS).key(ID).whileTrue(TRUST_SCORE.isNull());
    }

    private BatchDaemon on(BatchOptions options) {
        return options.batchSize(2).listener(listener).on(database.pool());
    }

    /** The first run does the healthy rows, two more see that nothing moves. */
    private void stallsAfterThreeRuns(BatchDaemon daemon, Stall stall) {
        assertThat(daemon.runOnce().stalled()).isFalse();
        assertThat(daemon.runOnce().stalled()).isFalse();
        assertThat(stalls).isEmpty();
        assertThat(daemon.runOnce().stalled()).isTrue();
        assertThat(stalls).containsExactly(stall);
        assertThat(daemon.runOnce().stalled()).isTrue();
        assertThat(stalls).as("told once").hasSize(1);
        assertThat(recoveries).isEmpty();
    }

    private static Stall stillInSet(String... keys) {
        return new Stall(keys.length, Stall.Reason.STILL_IN_SET, List.of(keys));
    }

    @Test
    void rowsForWhichTheComputationGivesNullDoNotBlockTheOthers() {
        Field<Integer> computed =
                when(ID.in(1L, 2L, 7L), inline((Integer) null)).otherwise(5);
        BatchDaemon daemon = on(unscored().set(TRUST_SCORE, computed));
        stallsAfterThreeRuns(daemon, stillInSet("1", "2", "7"));
        assertThat(Ads.unscored(database)).containsExactly(1L, 2L, 7L);
        assertThat(stalls.get(0))
                .hasToString("3 rows wait and none left the set in two runs:"
                        + " they are still in the set after they were written, as 1, 2, 7");

        database.execute("DELETE FROM ads WHERE id IN (1, 2, 7)");
        Progress end = daemon.runOnce();
        assertThat(end.stalled()).isFalse();
        assertThat(recoveries).containsExactly(end);
        daemon.runOnce();
        assertThat(recoveries).as("told once").hasSize(1);
    }

    @Test
    void aStallIsOverWhenRowsLeaveAgainAndMayBeginAnew() {
        BatchDaemon daemon = on(unscored().set(TRUST_SCORE, nullif(ID.cast(Integer.class), inline(4))));
        stallsAfterThreeRuns(daemon, stillInSet("4"));
        Ads.insert(database, 11, 13);
        assertThat(daemon.runOnce().stalled()).isFalse();
        assertThat(recoveries).hasSize(1);
        daemon.runOnce();
        daemon.runOnce();
        assertThat(stalls).containsExactly(stillInSet("4"), stillInSet("4"));
    }

    /** A trigger before or after the write puts the old value back, or suppresses it: the update count is no help. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "BEFORE UPDATE: IF NEW.id IN (3, 8) THEN NEW.trust_score := OLD.trust_score; END IF; RETURN NEW;",
                "BEFORE UPDATE: IF NEW.id IN (3, 8) THEN RETURN NULL; END IF; RETURN NEW;",
                "AFTER UPDATE OF trust_score: IF NEW.id IN (3, 8) AND NEW.trust_score IS NOT NULL THEN"
                        + " UPDATE ads SET trust_score = NULL WHERE id = NEW.id; END IF; RETURN NULL;"
            })
    void rowsWhoseValueATriggerPutsBack(String trigger) {
        String[] eventAndBody = trigger.split(": ", 2);
        database.execute("CREATE OR REPLACE FUNCTION put_back() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                + eventAndBody[1] + " END $$");
        database.execute(
                "CREATE TRIGGER put_back " + eventAndBody[0] + " ON ads FOR EACH ROW" + " EXECUTE FUNCTION put_back()");
        stallsAfterThreeRuns(on(unscored().set(TRUST_SCORE, 1)), stillInSet("3", "8"));
        assertThat(Ads.unscored(database)).containsExactly(3L, 8L);
    }

    @Test
    void rowsWhoseDeletionATriggerSuppresses() {
        database.execute("CREATE OR REPLACE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN IF OLD.id = 6 THEN RETURN NULL; END IF; RETURN OLD; END $$");
        database.execute("CREATE TRIGGER keep BEFORE DELETE ON ads FOR EACH ROW EXECUTE FUNCTION keep()");
        stallsAfterThreeRuns(on(unscored().delete()), stillInSet("6"));
    }

    @Test
    void valuesThatAreRounded() {
        database.execute("ALTER TABLE ads ADD price numeric(10,2) NOT NULL DEFAULT 0");
        Field<BigDecimal> price = field(name("price"), SQLDataType.NUMERIC);
        Field<BigDecimal> right = ID.cast(SQLDataType.NUMERIC).div(inline(8));
        BatchDaemon daemon = on(BatchDaemon.named("stall")
                .over(ADS)
                .key(ID)
                .whileTrue(price.ne(right))
                .set(price, right));
        stallsAfterThreeRuns(daemon, new Stall(5, Stall.Reason.STILL_IN_SET, List.of("1", "3", "5", "7", "9")));
    }

    @Test
    void timesThatAreRounded() {
        database.execute("ALTER TABLE ads ADD seen timestamptz(0) NOT NULL DEFAULT 'epoch'");
        Field<java.time.Instant> seen = field(name("seen"), SQLDataType.INSTANT);
        Field<java.time.Instant> exact = param("at", java.time.Instant.parse("2024-02-29T12:00:00.400Z"));
        Field<java.time.Instant> right =
                when(ID.eq(9L), exact).otherwise(java.time.Instant.parse("2024-02-29T12:00:00Z"));
        stallsAfterThreeRuns(
                on(BatchDaemon.named("stall")
                        .over(ADS)
                        .key(ID)
                        .whileTrue(seen.ne(right))
                        .set(seen, right)),
                stillInSet("9"));
    }

    /** It would be the loop that never ends; here each row is written once a sweep, and the sweep ends. */
    @Test
    void aConditionThatTheWriteNeverMakesFalse() {
        BatchDaemon daemon = on(BatchDaemon.named("stall")
                .over(ADS)
                .key(ID)
                .whileTrue(trueCondition())
                .set(TRUST_SCORE, 1));
        assertThat(daemon.runOnce().selected()).isEqualTo(10);
        Progress second = daemon.runOnce();
        assertThat(second.done()).isZero();
        assertThat(second.stalled()).isTrue();
        assertThat(stalls).containsExactly(new Stall(10, Stall.Reason.STILL_IN_SET, List.of("1", "2", "3", "4", "5")));
    }

    @Test
    void rowsThatAnotherHasLocked() {
        BatchDaemon daemon = on(unscored().set(TRUST_SCORE, 1));
        try (Session other = database.session()) {
            other.executes("SELECT 1 FROM ads WHERE id IN (2, 9) FOR UPDATE");
            stallsAfterThreeRuns(daemon, new Stall(2, Stall.Reason.LOCKED, List.of("2", "9")));
            other.rollsBack();
        }
        assertThat(daemon.runOnce().done()).isEqualTo(2);
        assertThat(recoveries).hasSize(1);
    }

    /** Row security lets the role read them, and not write them. */
    @Test
    void rowsThatCannotBeChosen() throws SQLException {
        database.execute("ALTER TABLE ads ENABLE ROW LEVEL SECURITY");
        database.execute("CREATE POLICY reading ON ads FOR SELECT USING (true)");
        database.execute("CREATE POLICY writing ON ads FOR UPDATE USING (id <> 4)");
        String role = "reader_" + Long.toUnsignedString(System.nanoTime(), 36);
        database.execute("CREATE ROLE " + role);
        try {
            database.execute("GRANT ALL ON ads TO " + role);
            PGSimpleDataSource restricted = database.dataSource();
            restricted.setOptions("-c role=" + role);
            try (Connection connection = restricted.getConnection()) {
                assertThat(connection.isValid(1)).isTrue();
            }
            BatchDaemon daemon = unscored()
                    .set(TRUST_SCORE, 1)
                    .batchSize(2)
                    .listener(listener)
                    .on(restricted);
            stallsAfterThreeRuns(daemon, new Stall(1, Stall.Reason.NOT_SELECTED, List.of("4")));
        } finally {
            database.execute("DROP OWNED BY " + role);
            database.execute("DROP ROLE " + role);
        }
    }

    /** The estimate may be wrong; before a stall is told it is counted. */
    @Test
    void rowsThatOthersHaveDoneAreNoStall() {
        BatchDaemon daemon = unscored()
                .set(TRUST_SCORE, 1)
                .batchSize(2)
                .countEvery(100)
                .listener(listener)
                .on(database.pool());
        database.execute("UPDATE ads SET trust_score = 1 WHERE id > 2");
        assertThat(daemon.runOnce().done()).isEqualTo(2);
        Ads.insert(database, 11, 12);
        daemon.runOnce();
        daemon.runOnce();
        daemon.runOnce();
        assertThat(stalls).isEmpty();
    }

    @Test
    void theKeysOfAStallOfSeveralColumns() {
        BatchDaemon daemon = on(BatchDaemon.named("stall")
                .over(ADS)
                .key(Ads.WRITES, ID)
                .whileTrue(TRUST_SCORE.isNull().and(ID.le(2L)))
                .set(TRUST_SCORE, inline((Integer) null, SQLDataType.INTEGER)));
        daemon.runOnce();
        daemon.runOnce();
        assertThat(stalls).extracting(Stall::keys).containsExactly(List.of("(0, 1)", "(0, 2)"));
    }
}
