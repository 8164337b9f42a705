package dev.tributary.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.internal.Dialect;
import dev.tributary.internal.OwnTransactions;
import dev.tributary.support.Database;
import dev.tributary.support.Gate;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.assertj.core.data.Offset;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.postgresql.ds.PGSimpleDataSource;

/** The figures of the seed: how many wait, how many are done, how many a minute. The clock is the test's. */
@ResourceLock(Resources.SYSTEM_ERR)
class ProgressTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final AtomicLong clock = new AtomicLong();
    private final List<Progress> told = new ArrayList<>();

    @BeforeEach
    void rows() {
        Ads.create(database, 40);
    }

    private BatchDaemon on(DataSource dataSource, BatchOptions options) {
        options.listener(new BatchListener() {
            @Override
            public void advanced(Advanced event) {
                assertThat(event.daemon()).isEqualTo(options.name);
                told.add(event.progress());
            }
        });
        return new BatchDaemon(
                options, new OwnTransactions(dataSource, new Dialect("tributary")), clock::incrementAndGet);
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    @Test
    void theRateIsThatOfTheTimeBetweenTheRuns() {
        BatchOptions options = Ads.scoring("rate").batchSize(10).timeBudget(Duration.ofNanos(1));
        BatchDaemon daemon =
                on(Gate.beforeCommit(1, database.dataSource(), () -> pass(Duration.ofSeconds(30))), options);
        Progress first = daemon.runOnce();
        assertThat(first.done()).isEqualTo(10);
        assertThat(first.ratePerMinute()).isCloseTo(20, Offset.offset(0.001));
        assertThat(first.timeLeft()).contains(Duration.ofSeconds(90));
        assertThat(first).hasToString("30 waiting, 10 done, 20 a minute, 1 min left");
        assertThat(told).containsExactly(first);
        pass(Duration.ofMinutes(2));
        // The pause between the runs counts: this is how long the rest will take.
        assertThat(daemon.runOnce().ratePerMinute()).isCloseTo(5, Offset.offset(0.001));
    }

    @Test
    void nothingLeftIsTheEndAndTakesNoTime() {
        BatchDaemon daemon = on(database.dataSource(), Ads.scoring("end"));
        daemon.runOnce();
        pass(Duration.ofSeconds(60));
        Progress idle = daemon.runOnce();
        assertThat(idle).isEqualTo(new Progress(0, 0, 0, 0, false, true, 40, 0));
        assertThat(idle.timeLeft()).contains(Duration.ZERO);
    }

    @Test
    void withoutARateThereIsNoEstimate() {
        assertThat(new Progress(5, 0, 5, 0, false, false, 0, 0).timeLeft()).isEmpty();
        assertThat(new Progress(5, 0, 5, 0, false, false, 0, 0))
                .hasToString("about 5 waiting, 0 done, 0 a minute, no end of it left, 5 stayed");
        assertThat(new Progress(1, 1, 2_000_000, 10_000, false, true, 240_000, 0))
                .hasToString("2000000 waiting, 240000 done, 10000 a minute, 3 h 20 min left");
    }

    /** Nobody has to wait for the end of a long run. */
    @Test
    void aLongRunIsToldOfEveryMinute() {
        BatchDaemon daemon = on(
                Gate.beforeEveryCommit(database.dataSource(), () -> pass(Duration.ofSeconds(30))),
                Ads.scoring("long").batchSize(10));
        daemon.runOnce();
        assertThat(told).extracting(Progress::done).containsExactly(20L, 40L, 40L);
        assertThat(told)
                .extracting(Progress::ratePerMinute)
                .usingElementComparator((a, b) -> Math.abs(a - b) < 0.001 ? 0 : 1)
                .containsExactly(20.0, 20.0, 0.0);
        assertThat(told).extracting(Progress::waitingCounted).containsExactly(false, false, true);
    }

    @Test
    void theLogHasOneLineAMinute() {
        BatchDaemon daemon =
                on(database.dataSource(), Ads.scoring("logged").batchSize(10).timeBudget(Duration.ofNanos(1)));
        String log = logged(() -> {
            for (int run = 0; run < 12; run++) {
                daemon.runOnce();
                pass(Duration.ofSeconds(20));
            }
        });
        assertThat(log.lines().filter(line -> line.contains("logged: "))).hasSize(2);
        assertThat(log).contains("logged: 30 waiting, 10 done").contains("logged: 0 waiting, 40 done");
    }

    private static String logged(Runnable work) {
        PrintStream before = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            work.run();
        } finally {
            System.setErr(before);
        }
        return log.toString(StandardCharsets.UTF_8);
    }

    /** In between it is the last count less what has left since; rows that came meanwhile are not in it. */
    @Test
    void countingMayBeRarer() {
        BatchDaemon daemon = on(
                database.dataSource(),
                Ads.scoring("rare").batchSize(5).timeBudget(Duration.ofNanos(1)).countEvery(3));
        List<Progress> runs = new ArrayList<>();
        for (int run = 0; run < 6; run++) {
            runs.add(daemon.runOnce());
            if (run == 2) {
                Ads.insert(database, 41, 50);
            }
        }
        assertThat(runs).extracting(Progress::waitingCounted).containsExactly(false, false, true, false, false, true);
        assertThat(runs.subList(2, 6)).extracting(Progress::waiting).containsExactly(25L, 20L, 15L, 20L);
    }

    @Test
    void aCountThatTakesTooLongDoesNotEndTheRun() {
        PGSimpleDataSource impatient = database.dataSource();
        impatient.setOptions("-c statement_timeout=2s");
        database.execute(
                "CREATE OR REPLACE FUNCTION slow_to_count(bigint) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN"
                        + " IF current_query() ILIKE '%count(*) as bigint%' THEN PERFORM pg_sleep(9); END IF; RETURN true; END $$");
        List<Throwable> troubles = new ArrayList<>();
        BatchDaemon daemon = BatchDaemon.named("slow")
                .over(Ads.ADS)
                .key(Ads.ID)
                .whileTrue(Ads.TRUST_SCORE
                        .isNull()
                        .and(org.jooq.impl.DSL.function("slow_to_count", Boolean.class, Ads.ID)))
                .set(Ads.TRUST_SCORE, org.jooq.impl.DSL.nullif(Ads.ID.cast(Integer.class), 3))
                .listener(new BatchListener() {
                    @Override
                    public void trouble(Trouble event) {
                        troubles.add(event.cause());
                    }
                })
                .on(impatient);
        Progress progress = daemon.runOnce();
        assertThat(progress.done()).isEqualTo(39);
        assertThat(progress.waitingCounted()).isFalse();
        assertThat(progress.waiting()).isOne();
        assertThat(troubles).hasSize(1).hasOnlyElementsOfType(DataAccessException.class);
    }

    @Test
    void aListenerThatThrowsChangesNothing() {
        BatchDaemon daemon = Ads.scoring("throws")
                .listener(new BatchListener() {
                    @Override
                    public void advanced(Advanced event) {
                        throw new IllegalStateException("the listener's own");
                    }
                })
                .on(database.dataSource());
        assertThat(daemon.runOnce().done()).isEqualTo(40);
    }

    @Test
    void aListenerMayCloseTheDaemonAndNotBeginARun() throws InterruptedException {
        List<BatchDaemon> daemons = new ArrayList<>();
        List<Throwable> refused = new ArrayList<>();
        CountDownLatch closed = new CountDownLatch(1);
        daemons.add(Ads.scoring("inside")
                .listener(new BatchListener() {
                    @Override
                    public void advanced(Advanced event) {
                        try {
                            daemons.get(0).runOnce();
                        } catch (IllegalStateException e) {
                            refused.add(e);
                        }
                        daemons.get(0).close();
                        closed.countDown();
                    }
                })
                .on(database.dataSource()));
        daemons.get(0).start();
        closed.await();
        daemons.get(0).close();
        assertThat(refused).hasSize(1);
    }

    @Test
    void aRunOfTheThreadThatFailsIsToldAndTheNextOneGoesOn() throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        try (BatchDaemon daemon = Ads.scoring("trouble")
                .every(Duration.ofMillis(5))
                .listener(new BatchListener() {
                    @Override
                    public void trouble(Trouble event) {
                        assertThat(event.cause()).isInstanceOf(DataAccessException.class);
                        told.countDown();
                    }
                })
                .on(database.dataSource())) {
            database.execute("ALTER TABLE ads RENAME TO hidden");
            daemon.start();
            told.await();
            database.execute("ALTER TABLE hidden RENAME TO ads");
            Ads.awaitScored(database);
        }
    }
}
