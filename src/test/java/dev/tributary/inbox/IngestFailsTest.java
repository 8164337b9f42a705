package dev.tributary.inbox;

import static dev.tributary.db.Tables.JOBS;
import static dev.tributary.inbox.Events.events;
import static dev.tributary.inbox.Events.keys;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.JobQueue;
import dev.tributary.db.tables.records.EventsRecord;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A batch of {@link Inbox#ingest} fails: all of it is undone, what is before it stays, and it can be delivered again. */
class IngestFailsTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();

    private static Inbox inbox(Strategy strategy) {
        return Inbox.on(database.pool()).strategy(strategy);
    }

    @ParameterizedTest
    @EnumSource
    void anActionThatThrowsUndoesItsBatchAndDeliveringItAgainDoesItAll(Strategy strategy) {
        Inbox inbox = inbox(strategy).batchSize(2);
        List<Event> events = events("a", "b", "c", "c", "d", "e");
        Exception thrown = new IOException("the disk is full");
        assertThatExceptionOfType(IngestFailed.class)
                .isThrownBy(() -> inbox.ingest(events, (tx, accepted) -> {
                    enqueue(tx, accepted);
                    if (keys(accepted).contains("d")) {
                        throw thrown;
                    }
                }))
                .withCause(thrown)
                .withMessage(
                        "batch 2 of 3 was rolled back, 2 business keys from \"c\" to \"d\":"
                                + " java.io.IOException: the disk is full; the batches before it are committed, see committed()")
                .satisfies(failed -> assertThat(failed.rolledBack()).containsExactly("c", "d"))
                .satisfies(failed -> assertThat(failed.committed())
                        .isEqualTo(new Ingested(List.of("a", "b"), List.of(), List.of())));
        assertThat(database.events()).extracting(EventsRecord::getBusinessKey).containsExactly("a", "b");
        assertThat(done()).containsExactly("a", "b");

        assertThat(inbox.ingest(events, this::enqueue))
                .isEqualTo(new Ingested(List.of("c", "d", "e"), List.of("a", "b", "c"), List.of()));
        assertThat(done()).containsExactly("a", "b", "c", "d", "e");
    }

    @ParameterizedTest
    @EnumSource
    void anErrorOfTheDatabaseInTheActionKeepsItsSqlState(Strategy strategy) {
        assertThatExceptionOfType(IngestFailed.class)
                .isThrownBy(() -> inbox(strategy).ingest(events("a"), (tx, accepted) -> tx.execute("SELECT 1 / 0")))
                .withMessage(
                        "batch 1 of 1 was rolled back, 1 business keys from \"a\" to \"a\": ERROR: division by zero")
                .havingCause()
                .isInstanceOfSatisfying(
                        DataAccessException.class, e -> assertThat(e.sqlState()).isEqualTo("22012"));
        assertThat(database.events()).isEmpty();
    }

    /** The transaction is aborted then; its commit must not be taken for one. */
    @ParameterizedTest
    @EnumSource
    void anErrorOfTheDatabaseThatTheActionSwallowsIsNoSuccess(Strategy strategy) {
        assertThatExceptionOfType(IngestFailed.class)
                .isThrownBy(() -> inbox(strategy).ingest(events("a"), (tx, accepted) -> {
                    try {
                        tx.execute("SELECT 1 / 0");
                    } catch (DataAccessException e) {
                        // Swallowed.
                    }
                }));
        assertThat(database.events()).isEmpty();
    }

    /** jOOQ would commit at its end, if it were left to itself. */
    @ParameterizedTest
    @EnumSource
    void aNestedTransactionOfTheActionIsPartOfTheBatch(Strategy strategy) {
        inbox(strategy).ingest(events("a", "b"), (tx, accepted) -> {
            tx.transaction(nested -> enqueue(nested.dsl(), accepted.subList(0, 1)));
            assertThat(database.jobs()).as("as others see it").isEmpty();
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> tx.transaction(nested -> {
                        enqueue(nested.dsl(), accepted.subList(1, 2));
                        nested.dsl()
                                .transaction(
                                        inner -> assertThat(done(inner.dsl())).containsExactly("a", "b"));
                        throw new IllegalStateException("undoes the nested one");
                    }));
        });
        assertThat(done()).containsExactly("a");
        assertThatExceptionOfType(IngestFailed.class)
                .isThrownBy(() -> inbox(strategy).ingest(events("c"), (tx, accepted) -> {
                    tx.transaction(nested -> enqueue(nested.dsl(), accepted));
                    throw new IllegalStateException("undoes all");
                }));
        assertThat(done()).containsExactly("a");
    }

    @ParameterizedTest
    @EnumSource
    void aDeadlockOrASerializationFailureRunsTheBatchAgain(Strategy strategy) {
        for (String state : List.of("40P01", "40001")) {
            List<String> runs = new ArrayList<>();
            inbox(strategy).ingest(events("of " + state), (tx, accepted) -> {
                runs.add(state);
                enqueue(tx, accepted);
                if (runs.size() < 5) {
                    tx.execute("DO $$ BEGIN RAISE EXCEPTION 'undone' USING ERRCODE = '" + state + "'; END $$");
                }
            });
            assertThat(runs).hasSize(5);
        }
        assertThat(done()).containsExactly("of 40P01", "of 40001");
    }

    @ParameterizedTest
    @EnumSource
    void aDeadlockThatDoesNotEndIsToldWithTheBatchesBefore(Strategy strategy) {
        List<String> runs = new ArrayList<>();
        assertThatExceptionOfType(IngestFailed.class)
                .isThrownBy(() -> inbox(strategy).batchSize(1).ingest(events("a", "b"), (tx, accepted) -> {
                    if (keys(accepted).contains("b")) {
                        runs.add("b");
                        tx.execute("DO $$ BEGIN RAISE EXCEPTION 'undone' USING ERRCODE = '40P01'; END $$");
                    }
                }))
                .satisfies(failed -> assertThat(failed.committed().accepted()).containsExactly("a"))
                .havingCause()
                .isInstanceOfSatisfying(
                        DataAccessException.class, e -> assertThat(e.sqlState()).isEqualTo("40P01"));
        assertThat(runs).hasSize(5);
    }

    private void enqueue(DSLContext tx, List<Event> accepted) {
        accepted.forEach(event -> queue.within(tx).enqueue(Refresh.TYPE, Refresh.of("c", event.businessKey())));
    }

    private static List<String> done() {
        return database.sql(IngestFailsTest::done);
    }

    private static List<String> done(DSLContext db) {
        return db.selectFrom(JOBS).orderBy(JOBS.ID).stream()
                .flatMap(job -> Refresh.ids(job.getConfig().data()).stream())
                .toList();
    }
}
