package dev.tributary.inbox;

import static dev.tributary.db.Tables.EVENTS;
import static dev.tributary.inbox.Events.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.InvalidArgument;
import dev.tributary.NoTransaction;
import dev.tributary.db.tables.records.EventsRecord;
import dev.tributary.support.Database;
import dev.tributary.support.Session;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link Inbox#within}: one call in the caller's transaction, which stays the caller's. */
class WithinTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private static Inbox inbox(Strategy strategy) {
        return Inbox.on(database.pool()).strategy(strategy);
    }

    private static Ingested ingest(Session session, Inbox inbox, String... keys) {
        return session.doesOn(connection -> inbox.within(connection).ingest(events(keys)));
    }

    @ParameterizedTest
    @EnumSource
    void takesEffectWithTheCallersCommit(Strategy strategy) {
        try (Session caller = database.session()) {
            assertThat(ingest(caller, inbox(strategy), "a", "b").accepted()).containsExactly("a", "b");
            caller.rollsBack();
            assertThat(database.events()).isEmpty();
            assertThat(ingest(caller, inbox(strategy), "a", "a"))
                    .isEqualTo(new Ingested(List.of("a"), List.of("a"), List.of()));
            assertThat(database.events()).isEmpty();
            caller.commits();
            assertThat(database.events())
                    .extracting(EventsRecord::getBusinessKey)
                    .containsExactly("a");
        }
    }

    @ParameterizedTest
    @EnumSource
    void theActionIsGivenTheContextOfTheCaller(Strategy strategy) {
        DSL.using(database.dataSource(), SQLDialect.POSTGRES).transaction(tx -> {
            DSLContext callers = tx.dsl();
            inbox(strategy).within(callers).ingest(events("a"), (given, accepted) -> {
                assertThat(given).isSameAs(callers);
                assertThat(given.fetchCount(EVENTS)).isEqualTo(1);
                given.transaction(nested -> nested.dsl().deleteFrom(EVENTS).execute());
                assertThat(given.fetchCount(EVENTS)).isZero();
            });
        });
        assertThat(database.events()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aSecondCallInATransactionIsRefusedAndTheTransactionGoesOn(Strategy strategy) {
        try (Session caller = database.session()) {
            ingest(caller, inbox(strategy), "a");
            for (Strategy second : Strategy.values()) {
                assertThatExceptionOfType(UnsuitableTransaction.class)
                        .isThrownBy(() -> ingest(caller, inbox(second), "b"))
                        .withMessageContaining("has ingested before")
                        .withMessageContaining("could deadlock");
            }
            caller.executes("INSERT INTO tributary.events (business_key, payload) VALUES ('by hand', '1')");
            caller.commits();
            // The next transaction of the connection is another one.
            ingest(caller, inbox(strategy), "b");
            caller.commits();
        }
        assertThat(database.events()).extracting(EventsRecord::getBusinessKey).containsExactly("a", "b", "by hand");
    }

    @ParameterizedTest
    @EnumSource
    void aCallThatWasUndoneDoesNotCount(Strategy strategy) {
        try (Session caller = database.session()) {
            caller.executes("SAVEPOINT before");
            ingest(caller, inbox(strategy), "a");
            caller.executes("ROLLBACK TO SAVEPOINT before");
            assertThat(AdvisoryLocks.heldBy(database, caller.pid())).isEmpty();
            ingest(caller, inbox(strategy), "b");
            caller.commits();
        }
        assertThat(database.events()).extracting(EventsRecord::getBusinessKey).containsExactly("b");
    }

    @ParameterizedTest
    @EnumSource
    void anActionThatThrowsUndoesTheCallAndTheTransactionGoesOn(Strategy strategy) {
        IOException thrown = new IOException("the disk is full");
        try (Session caller = database.session()) {
            caller.executes("INSERT INTO tributary.events (business_key, payload) VALUES ('by hand', '1')");
            assertThatExceptionOfType(IngestFailed.class)
                    .isThrownBy(() -> caller.doesOn(connection -> inbox(strategy)
                            .within(connection)
                            .ingest(events("a", "b"), (tx, accepted) -> {
                                throw thrown;
                            })))
                    .withCause(thrown)
                    .withMessageStartingWith("batch 1 of 1 was rolled back, 2 business keys from \"a\" to \"b\"");
            assertThat(AdvisoryLocks.heldBy(database, caller.pid())).isEmpty();
            ingest(caller, inbox(strategy), "a");
            caller.commits();
        }
        assertThat(database.events()).extracting(EventsRecord::getBusinessKey).containsExactly("a", "by hand");
    }

    @ParameterizedTest
    @CsvSource({
        "ADVISORY_LOCKS, 40P01",
        "ADVISORY_LOCKS, 40001",
        "ORDERED_UPSERT, 40P01",
        "ORDERED_UPSERT, 40001",
    })
    void errorsOfTheDatabasePassThroughAndNothingIsRunAgain(Strategy strategy, String state) {
        int[] runs = {0};
        try (Session caller = database.session()) {
            assertThatExceptionOfType(DataAccessException.class)
                    .isThrownBy(() -> caller.doesOn(connection -> inbox(strategy)
                            .within(connection)
                            .ingest(events("a"), (tx, accepted) -> {
                                runs[0]++;
                                tx.execute("DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '" + state + "'; END $$");
                            })))
                    .matches(e -> e.sqlState().equals(state));
            assertThat(runs[0]).isEqualTo(1);
            caller.executes("SELECT 1");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"REPEATABLE READ", "SERIALIZABLE"})
    void advisoryLocksOnAnOldSnapshotAreRefused(String level) {
        try (Session caller = database.session()) {
            caller.executes("SET TRANSACTION ISOLATION LEVEL " + level);
            assertThatExceptionOfType(UnsuitableTransaction.class)
                    .isThrownBy(() -> ingest(caller, inbox(Strategy.ADVISORY_LOCKS), "a"))
                    .withMessageContaining("ADVISORY_LOCKS")
                    .withMessageContaining("at " + level.toLowerCase(java.util.Locale.ROOT))
                    .withMessageContaining("READ COMMITTED");
            assertThat(AdvisoryLocks.heldBy(database, caller.pid())).isEmpty();
            // Without locks it is the caller's to run again what cannot be serialized, and a refusal was no call.
            ingest(caller, inbox(Strategy.ORDERED_UPSERT), "a");
            caller.commits();
        }
        assertThat(database.events()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"REPEATABLE READ", "SERIALIZABLE"})
    void anEventThatTheSnapshotDoesNotShowIsASerializationFailure(String level) {
        try (Session caller = database.session()) {
            caller.executes("SET TRANSACTION ISOLATION LEVEL " + level);
            caller.executes("SELECT count(*) FROM tributary.events");
            inbox(Strategy.ORDERED_UPSERT).ingest(events("a"));
            assertThatExceptionOfType(DataAccessException.class)
                    .isThrownBy(() -> ingest(caller, inbox(Strategy.ORDERED_UPSERT), "a"))
                    .matches(e -> e.sqlState().equals("40001"));
        }
    }

    @Test
    void moreKeysThanTheLockBudgetAreRefusedBeforeAnySql() {
        Inbox inbox = inbox(Strategy.ADVISORY_LOCKS).lockBudget(3);
        try (Session caller = database.session()) {
            assertThatExceptionOfType(InvalidArgument.class)
                    .isThrownBy(() -> ingest(caller, inbox, "a", "b", "c", "d"))
                    .withMessageContaining("4 business keys")
                    .withMessageContaining("the budget is 3");
            ingest(caller, inbox, "a", "b", "c", "a", "b");
            caller.commits();
            assertThat(ingest(caller, inbox.stripes(3), "d", "e", "f", "g", "h").accepted())
                    .hasSize(5);
            assertThat(AdvisoryLocks.heldBy(database, caller.pid())).hasSizeBetween(1, 3);
            caller.commits();
        }
    }

    @Test
    void moreTextThanAStatementTakesIsRefused() {
        Event event = new Event("k", "\"" + "x".repeat(16 * 1024 * 1024 - 2) + "\"");
        try (Session caller = database.session()) {
            assertThatExceptionOfType(InvalidArgument.class)
                    .isThrownBy(() -> caller.doesOn(connection ->
                            inbox(Strategy.ORDERED_UPSERT).within(connection).ingest(Collections.nCopies(5, event))))
                    .withMessageContaining("67108864");
            caller.executes("SELECT 1");
        }
    }

    @Test
    void aConnectionWithoutATransactionIsRefused() throws SQLException {
        try (Connection connection = database.connect()) {
            assertThatExceptionOfType(NoTransaction.class)
                    .isThrownBy(
                            () -> Inbox.on(database.pool()).within(connection).ingest(events("a")));
        }
        assertThat(database.events()).isEmpty();
    }
}
