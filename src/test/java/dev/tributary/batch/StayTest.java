package dev.tributary.batch;

import static dev.tributary.batch.Ads.ADS;
import static dev.tributary.batch.Ads.ID;
import static dev.tributary.batch.Ads.TRUST_SCORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.trueCondition;
import static org.jooq.impl.DSL.when;

import dev.tributary.support.Database;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jooq.Condition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rows that stay sweep after sweep, while others come and leave: no stall, and told all the same. */
class StayTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final List<Stay> stays = new ArrayList<>();
    private final List<Stall> stalls = new ArrayList<>();

    private final BatchListener listener = new BatchListener() {
        @Override
        public void stayed(Stayed event) {
            stays.add(event.stay());
        }

        @Override
        public void stalled(Stalled event) {
            stalls.add(event.stall());
        }
    };

    private int nextId = 11;

    @BeforeEach
    void rows() {
        Ads.create(database, 10);
    }

    private static BatchColumns scoring(Condition butNot) {
        return BatchDaemon.named("stay")
                .over(ADS)
                .key(ID)
                .whileTrue(TRUST_SCORE.isNull())
                .set(TRUST_SCORE, when(butNot, inline((Integer) null)).otherwise(5));
    }

    private BatchDaemon on(BatchOptions options) {
        return options.batchSize(4).listener(listener).on(database.pool());
    }

    /** With new rows to do, so that it is no stall. */
    private Progress runs(BatchDaemon daemon) {
        Ads.insert(database, nextId, nextId + 2);
        nextId += 3;
        return daemon.runOnce();
    }

    @Test
    void isToldOnceAfterTwoSweepsAndAnewAfterOneWithoutAny() {
        BatchDaemon daemon = on(scoring(ID.in(2L, 9L)));
        Progress first = runs(daemon);
        assertThat(first.stayed()).isEqualTo(2);
        assertThat(first.toString()).endsWith(", 2 stayed");
        assertThat(stays).isEmpty();
        Progress second = runs(daemon);
        assertThat(second.stayed()).isEqualTo(2);
        assertThat(second.done()).isEqualTo(3);
        assertThat(second.stalled()).isFalse();
        Stay stay = new Stay(2, Stall.Reason.STILL_IN_SET, List.of("2", "9"));
        assertThat(stays).containsExactly(stay);
        assertThat(stay)
                .hasToString("2 rows stayed in two sweeps: they are still in the set after they were written, as 2, 9");
        runs(daemon);
        assertThat(stays).as("told once").hasSize(1);

        database.execute("UPDATE ads SET trust_score = 1 WHERE id IN (2, 9)");
        runs(daemon);
        database.execute("UPDATE ads SET trust_score = NULL WHERE id IN (2, 9)");
        runs(daemon);
        assertThat(stays).hasSize(1);
        runs(daemon);
        assertThat(stays).containsExactly(stay, stay);
        assertThat(stalls).isEmpty();
    }

    /** A row that stayed once, and another that does in the next sweep, are no pattern. */
    @Test
    void otherRowsInEachSweepAreNotTold() {
        BatchDaemon daemon = on(scoring(ID.eq(2L).or(ID.eq(12L))));
        daemon.runOnce();
        database.execute("UPDATE ads SET trust_score = 1 WHERE id = 2");
        runs(daemon);
        assertThat(stays).isEmpty();
    }

    @Test
    void rowsThatCannotBeWrittenAreToldWithTheirReason() {
        database.execute("ALTER TABLE ads ADD CONSTRAINT no CHECK (id <> 7 OR trust_score IS NULL)");
        BatchDaemon daemon = on(scoring(ID.eq(0L)));
        runs(daemon);
        runs(daemon);
        assertThat(stays).containsExactly(new Stay(1, Stall.Reason.WRITE_FAILS, List.of("7")));
    }

    /** A sweep that is several runs long is one sweep. */
    @Test
    void aSweepCountsAndNotARun() {
        BatchDaemon daemon = on(scoring(ID.eq(2L)).timeBudget(Duration.ofNanos(1)));
        for (int run = 0; run < 3; run++) {
            daemon.runOnce();
            assertThat(stays).isEmpty();
        }
        Ads.insert(database, 11, 12);
        daemon.runOnce();
        assertThat(stays).hasSize(1);
    }

    @Test
    void aStallIsToldInsteadIfItIsOne() {
        BatchDaemon daemon = on(BatchDaemon.named("stay")
                .over(ADS)
                .key(ID)
                .whileTrue(trueCondition())
                .set(TRUST_SCORE, 1));
        daemon.runOnce();
        assertThat(daemon.runOnce().stalled()).isTrue();
        assertThat(stalls).hasSize(1);
        assertThat(stays).isEmpty();
    }
}
