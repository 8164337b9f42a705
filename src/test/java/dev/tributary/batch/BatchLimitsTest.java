package dev.tributary.batch;

import static dev.tributary.batch.Ads.ADS;
import static dev.tributary.batch.Ads.ID;
import static dev.tributary.batch.Ads.TRUST_SCORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.InvalidArgument;
import dev.tributary.internal.Dialect;
import dev.tributary.internal.OwnTransactions;
import dev.tributary.support.Await;
import dev.tributary.support.Database;
import dev.tributary.support.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What is refused, and what bounds a batch and a run. */
class BatchLimitsTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    @BeforeEach
    void rows() {
        Ads.create(database, 40);
    }

    static Stream<Arguments> refusals() {
        BatchOptions options = Ads.scoring("x");
        return Stream.of(
                refused("the batch size is 0: it must be at least 1", () -> options.batchSize(0)),
                refused("the batch size is -1: it must be at least 1", () -> options.batchSize(-1)),
                refused("countEvery is 0: it must be at least 1", () -> options.countEvery(0)),
                refused("every is zero: it must be positive", () -> options.every(Duration.ZERO)),
                refused("every is null", () -> options.every(null)),
                refused("the pause is PT-1S", () -> options.pause(Duration.ofSeconds(-1))),
                refused("the time budget is zero", () -> options.timeBudget(Duration.ZERO)),
                refused("the listener is null", () -> options.listener(null)),
                refused("the DataSource is null", () -> options.on(null)),
                refused("the schema is null", () -> options.on(database.dataSource(), null)),
                refused("the name of the daemon is null", () -> BatchDaemon.named(null)),
                refused("the name of the daemon is blank: \" \"", () -> BatchDaemon.named(" ")),
                refused("the table is null", () -> BatchDaemon.named("x").over(null)),
                refused("the column of the key is null", () -> over().key(null)),
                refused("a column of the key is null", () -> over().key(ID, (Field<?>) null)),
                refused("the progress condition is null", () -> over().key(ID).whileTrue((Condition) null)),
                refused("the column is null", () -> set().set((Field<Integer>) null, 1)),
                refused(
                        "the expression for \"trust_score\" is null",
                        () -> set().set(TRUST_SCORE, (Field<Integer>) null)),
                refused("the target is null", () -> set().insertInto(null, ID, ID)),
                refused(
                        "the column \"trust_score\" is set twice",
                        () -> Ads.scoring("x").set(TRUST_SCORE, 1)));
    }

    private static BatchDaemon.Over<?> over() {
        return BatchDaemon.named("x").over(ADS);
    }

    private static ProgressSet<?> set() {
        return over().key(ID).whileTrue(TRUST_SCORE.isNull());
    }

    private static Arguments refused(String message, ThrowingCallable call) {
        return Arguments.of(message, call);
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void isRefusedByName(String message, ThrowingCallable call) {
        assertThatExceptionOfType(InvalidArgument.class).isThrownBy(call).withMessageContaining(message);
    }

    /** More than six rows at once are too much for the statement timeout, as the gate that the trigger meets says. */
    @ParameterizedTest
    @ValueSource(strings = {"57014", "55P03"})
    void aBatchThatTakesTooLongIsHalvedAndGrowsAgain(String sqlState) {
        database.execute("""
                CREATE OR REPLACE FUNCTION too_long() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF (SELECT count(*) FROM written) > 6 AND (SELECT min(id) FROM written) <= 20 THEN
                        RAISE EXCEPTION 'too long' USING ERRCODE = '%s';
                    END IF;
                    RETURN NULL;
                END $$""".formatted(sqlState));
        database.execute("CREATE TRIGGER too_long AFTER UPDATE ON ads REFERENCING NEW TABLE AS written"
                + " FOR EACH STATEMENT EXECUTE FUNCTION too_long()");
        database.execute("DROP TABLE IF EXISTS sizes");
        database.execute("CREATE TABLE sizes (n serial, size integer)");
        database.execute("""
                CREATE OR REPLACE FUNCTION note_size() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN INSERT INTO sizes (size) SELECT count(*) FROM written; RETURN NULL; END $$""");
        database.execute("CREATE TRIGGER note_size AFTER UPDATE ON ads REFERENCING NEW TABLE AS written"
                + " FOR EACH STATEMENT EXECUTE FUNCTION note_size()");
        Progress progress =
                Ads.scoring("halved").batchSize(16).on(database.pool()).runOnce();
        assertThat(progress.done()).isEqualTo(40);
        List<Integer> sizes =
                database.sql(db -> db.fetch("SELECT size FROM sizes ORDER BY n").getValues(0, Integer.class));
        // 16 and 8 are undone; 4 works, 8 is undone again up to id 20, then it grows to what was asked for.
        assertThat(sizes).containsExactly(4, 4, 4, 4, 4, 8, 12);
        assertThat(Ads.writes(database)).containsExactly(1);
    }

    @Test
    void aRealStatementTimeoutHalvesToo() {
        PGSimpleDataSource impatient = database.dataSource();
        impatient.setOptions("-c statement_timeout=700ms");
        database.execute("CREATE OR REPLACE FUNCTION slow(bigint) RETURNS integer LANGUAGE plpgsql AS"
                + " $$ BEGIN PERFORM pg_sleep(0.06); RETURN 1; END $$");
        Progress progress = BatchDaemon.named("slow")
                .over(ADS)
                .key(ID)
                .whileTrue(TRUST_SCORE.isNull())
                .set(TRUST_SCORE, org.jooq.impl.DSL.function("slow", Integer.class, ID))
                .batchSize(32)
                .on(impatient)
                .runOnce();
        assertThat(progress.done()).isEqualTo(40);
    }

    @Test
    void otherErrorsReachTheCallerAndTheNextRunBeginsThere() {
        database.execute("CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " IF new.id = 12 THEN RAISE EXCEPTION 'no' USING ERRCODE = '42501'; END IF; RETURN new; END $$");
        database.execute("CREATE TRIGGER refuse BEFORE UPDATE ON ads FOR EACH ROW EXECUTE FUNCTION refuse()");
        BatchDaemon daemon = Ads.scoring("refused").batchSize(5).on(database.pool());
        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(daemon::runOnce)
                .satisfies(e -> assertThat(e.sqlState()).isEqualTo("42501"));
        assertThat(Ads.scored(database)).isEqualTo(10);
        database.execute("DROP TRIGGER refuse ON ads");
        assertThat(daemon.runOnce().done()).isEqualTo(30);
    }

    @Test
    void aTimeBudgetEndsTheRunAndTheNextOneGoesOn() {
        AtomicLong time = new AtomicLong();
        BatchOptions options = Ads.scoring("budget").batchSize(5).timeBudget(Duration.ofSeconds(3));
        BatchDaemon daemon = new BatchDaemon(
                options,
                new OwnTransactions(database.dataSource(), new Dialect("tributary")),
                () -> time.getAndAdd(Duration.ofMillis(500).toNanos()));
        Progress first = daemon.runOnce();
        assertThat(first.done()).isPositive().isLessThan(40);
        assertThat(first.waiting()).isEqualTo(40 - first.done());
        Progress second = daemon.runOnce();
        assertThat(second.done()).isPositive();
        assertThat(second.doneInAll()).isEqualTo(first.done() + second.done());
        while (daemon.runOnce().waiting() > 0) {}
        assertThat(Ads.writes(database)).containsExactly(1);
    }

    @Test
    void closeLetsTheBatchCommitAndBeginsNoOther() {
        List<BatchDaemon> daemons = new ArrayList<>();
        Thread closing = new Thread(() -> daemons.get(0).close());
        daemons.add(Ads.scoring("ended").batchSize(5).on(Gate.beforeCommit(2, database.dataSource(), () -> {
            closing.start();
            // It has said so by then, and waits for the batch.
            Await.until(() -> closing.getState() == Thread.State.WAITING, () -> "it is " + closing.getState());
        })));
        assertThat(daemons.get(0).runOnce().done()).isEqualTo(10);
        join(closing);
        assertThat(Ads.scored(database)).isEqualTo(10);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(daemons.get(0)::runOnce)
                .withMessage("the daemon ended is closed");
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(daemons.get(0)::start);
    }

    @Test
    void closeEndsAPauseBetweenBatchesAtOnce() {
        List<BatchDaemon> daemons = new ArrayList<>();
        BatchDaemon daemon = Ads.scoring("paused")
                .batchSize(5)
                .pause(Duration.ofDays(1))
                .on(Gate.beforeCommit(
                        1,
                        database.dataSource(),
                        () -> new Thread(() -> daemons.get(0).close()).start()));
        daemons.add(daemon);
        assertThat(daemon.runOnce().done()).isEqualTo(5);
    }

    @Test
    void anInterruptEndsThePauseAndStays() {
        BatchDaemon daemon = Ads.scoring("interrupted")
                .batchSize(5)
                .pause(Duration.ofDays(1))
                .on(database.pool());
        Thread.currentThread().interrupt();
        Progress progress = daemon.runOnce();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(progress.done()).isEqualTo(5);
    }

    @Test
    void aStartedDaemonRunsUntilItIsClosed() {
        BatchDaemon daemon =
                Ads.scoring("started").batchSize(7).every(Duration.ofMillis(5)).on(database.pool());
        daemon.start();
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(daemon::start)
                .withMessage("the daemon started has been started");
        Ads.awaitScored(database);
        Ads.insert(database, 41, 50);
        Ads.awaitScored(database);
        daemon.close();
        Ads.insert(database, 51, 60);
        assertThat(Ads.unscored(database)).hasSize(10);
        assertThat(Ads.writes(database)).containsExactly(0, 1);
    }

    private static void join(Thread thread) {
        try {
            thread.join(Duration.ofSeconds(30).toMillis());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(thread.isAlive()).isFalse();
    }
}
