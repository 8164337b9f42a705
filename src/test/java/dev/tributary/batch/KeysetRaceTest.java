package dev.tributary.batch;

import static dev.tributary.batch.Ads.ADS;
import static dev.tributary.batch.Ads.ID;
import static dev.tributary.batch.Ads.WRITES;
import static dev.tributary.db.Tables.BATCH_CURSORS;
import static dev.tributary.support.Session.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.support.Cuts;
import dev.tributary.support.Database;
import dev.tributary.support.Gate;
import dev.tributary.support.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A cursor beside another daemon of its name, beside writers, and cut off. */
class KeysetRaceTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    /** The first two of these, what is set aside, and the batch. */
    private static final int FIRST_BATCH = 4;

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

    private static <T> CompletableFuture<T> begins(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, task -> new Thread(task).start());
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

    /** One holds its first batch uncommitted; the other finds the position locked and does nothing; then the one does all. */
    @Test
    void ofTwoDaemonsOfOneNameOneWalksAtATime() {
        List<Progress> other = new ArrayList<>();
        BatchDaemon second = walk(database.pool());
        BatchDaemon first =
                walk(Gate.beforeCommit(FIRST_BATCH, database.dataSource(), () -> other.add(second.runOnce())));
        assertThat(first.runOnce().done()).isEqualTo(20);
        assertThat(other).extracting(Progress::selected).containsExactly(0L);
        assertThat(second.runOnce().selected()).isZero();
        everyRowWasWrittenOnce();
    }

    /** The second has not seen the rows that came after it began, the first has done them: its position lies behind them. */
    @Test
    void aDaemonThatKnowsLessDoesNotTakeThePositionBack() {
        BatchDaemon first = walk(database.pool());
        BatchDaemon second = walk(Gate.beforeConnection(FIRST_BATCH, database.dataSource(), () -> {
            insertOne();
            assertThat(first.runOnce().done()).isEqualTo(21);
        }));
        assertThat(second.runOnce().done()).isZero();
        assertThat(position()).isEqualTo(21);
        everyRowWasWrittenOnce();
    }

    /** The end of a sweep is kept with its position: whoever goes on with it ends it there. */
    @Test
    void daemonsOfOneNameAreInOneSweep() {
        Keyset<?> repeating = BatchDaemon.named("walk").over(ADS).keyset(ID).repeating();
        Ads.walking(repeating)
                .batchSize(5)
                .timeBudget(Duration.ofNanos(1))
                .on(database.dataSource())
                .runOnce();
        insertOne();
        assertThat(Ads.walking(repeating)
                        .batchSize(5)
                        .on(database.dataSource())
                        .runOnce()
                        .done())
                .isEqualTo(15);
        assertThat(Ads.unscored(database)).containsExactly(21L);
        assertThat(position()).isZero();
    }

    /** Passing over it would be passing it for ever. */
    @Test
    void aRowThatAnotherHasLockedIsWaitedFor() {
        try (Session writer = database.session()) {
            walk(database.pool()).runOnce();
            insertOne();
            writer.executes("SELECT 1 FROM ads WHERE id = 7 FOR UPDATE");
            BatchDaemon daemon = Ads.walking(
                            BatchDaemon.named("again").over(ADS).keyset(ID).repeating())
                    .batchSize(5)
                    .on(database.dataSource());
            CompletableFuture<Progress> waits = begins(daemon::runOnce);
            writer.awaitBlocking();
            writer.executes("DELETE FROM ads WHERE id = 8");
            writer.commits();
            assertThat(result(waits).done()).isEqualTo(21);
        }
        List<Long> twice =
                database.sql(db -> db.select(ID).from(ADS).where(WRITES.eq(2)).fetch(ID));
        assertThat(twice).hasSize(19).contains(7L).doesNotContain(8L);
    }

    /** Another resets the cursor while a batch is uncommitted: it waits, and then the walk begins anew. */
    @Test
    void resetWaitsForTheBatchThatIsUnderWay() {
        List<CompletableFuture<Boolean>> resets = new ArrayList<>();
        try (Session observer = database.session()) {
            BatchDaemon other = walk(database.pool());
            BatchDaemon daemon = walk().timeBudget(Duration.ofNanos(1))
                    .on(Gate.beforeCommit(FIRST_BATCH, database.dataSource(), () -> {
                        resets.add(begins(() -> {
                            other.reset();
                            return true;
                        }));
                        observer.awaitAnyBlocked();
                    }));
            assertThat(daemon.runOnce().done()).isEqualTo(5);
            result(resets.get(0));
            assertThat(position()).isZero();
            assertThat(other.runOnce().done()).isEqualTo(20);
        }
        assertThat(Ads.writes(database)).containsExactlyInAnyOrder(1, 2);
    }

    /** The backend is dropped before each statement and each commit in turn: the write and the position are one. */
    @Test
    void aWalkThatIsKilledHasWrittenWhatThePositionSays() {
        for (int boundary = 1; ; boundary++) {
            Ads.create(database, 20);
            database.execute("DELETE FROM tributary.batch_cursors");
            Cuts cuts = new Cuts(database, boundary);
            BatchDaemon daemon = walk(cuts.dataSource());
            long waiting = 20;
            while (waiting > 0) {
                try {
                    waiting = daemon.runOnce().waiting();
                } catch (DataAccessException cut) {
                    assertThat(cuts.happened()).isTrue();
                    assertThat(Ads.scored(database) % 5).isZero();
                    assertThat(position()).isEqualTo(Ads.scored(database));
                    // Made anew, as by a new process.
                    daemon = walk(cuts.dataSource());
                }
            }
            everyRowWasWrittenOnce();
            if (!cuts.happened()) {
                assertThat(boundary).isGreaterThan(25);
                return;
            }
        }
    }

    /** Two daemons of one name, a writer that inserts and one that deletes; what existed all the while is done once. */
    @Test
    void amidInsertsAndDeletesEveryRowIsDoneOnce() {
        int rows = 6_000;
        Ads.create(database, rows);
        List<CompletableFuture<Void>> writers = Stream.<Runnable>of(
                        () -> IntStream.range(0, 100)
                                .forEach(i -> Ads.insert(database, rows + 10 * i + 1, rows + 10 * i + 10)),
                        () -> IntStream.range(0, 100)
                                .forEach(i -> database.execute("DELETE FROM ads WHERE id % 100 = 99 AND id BETWEEN "
                                        + (i * 60) + " AND " + (i * 60 + 59))))
                .map(task -> CompletableFuture.runAsync(task, run -> new Thread(run).start()))
                .toList();
        List<CompletableFuture<Void>> walks = IntStream.range(0, 2)
                .mapToObj(i -> CompletableFuture.runAsync(
                        () -> {
                            BatchDaemon daemon = walk().batchSize(50).on(database.dataSource());
                            do {
                                daemon.runOnce();
                            } while (writers.stream().anyMatch(writer -> !writer.isDone()));
                        },
                        run -> new Thread(run).start()))
                .toList();
        Stream.concat(writers.stream(), walks.stream()).forEach(Session::result);
        walk(database.pool()).runOnce();
        assertThat(Ads.unscored(database)).isEmpty();
        everyRowWasWrittenOnce();
        int left = database.sql(db -> db.fetchCount(ADS));
        assertThat(left).isEqualTo(rows + 1_000 - 60);
    }
}
