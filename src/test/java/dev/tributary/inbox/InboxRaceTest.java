package dev.tributary.inbox;

import static dev.tributary.inbox.Events.events;
import static dev.tributary.support.Session.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.db.tables.records.EventsRecord;
import dev.tributary.support.Database;
import dev.tributary.support.OneConnection;
import dev.tributary.support.Session;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.PGConnection;

/** One transaction has events in hand, another is delivered the same. */
class InboxRaceTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private static Inbox inbox(Strategy strategy) {
        return Inbox.on(database.pool()).strategy(strategy);
    }

    private static Ingested ingest(Session session, Inbox inbox, String... keys) {
        return result(begins(session, inbox, keys));
    }

    private static CompletableFuture<Ingested> begins(Session session, Inbox inbox, String... keys) {
        return session.beginsOn(connection -> inbox.within(connection).ingest(events(keys)));
    }

    private static CompletableFuture<Ingested> beginsOwn(Inbox inbox, String... keys) {
        return CompletableFuture.supplyAsync(() -> inbox.ingest(events(keys)), task -> new Thread(task).start());
    }

    /** Nodes may be set differently, as while a new setting is rolled out. */
    static Stream<Arguments> pairs() {
        return Stream.of(
                        inbox(Strategy.ADVISORY_LOCKS),
                        inbox(Strategy.ADVISORY_LOCKS).stripes(2),
                        inbox(Strategy.ORDERED_UPSERT))
                .flatMap(first -> Stream.of(
                                inbox(Strategy.ADVISORY_LOCKS),
                                inbox(Strategy.ADVISORY_LOCKS).stripes(3),
                                inbox(Strategy.ORDERED_UPSERT))
                        .map(second -> Arguments.of(first, second)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void waitsForTheOtherAndIsADuplicateIfThatCommits(Inbox first, Inbox second) {
        try (Session one = database.session();
                Session two = database.session()) {
            ingest(one, first, "a", "b");
            CompletableFuture<Ingested> inCallers = begins(two, second, "c", "b");
            two.awaitBlockedBy(one);
            one.commits();
            assertThat(result(inCallers)).isEqualTo(new Ingested(List.of("c"), List.of("b"), List.of()));
            CompletableFuture<Ingested> own = beginsOwn(first, "d", "c");
            two.awaitBlocking();
            two.commits();
            assertThat(result(own)).isEqualTo(new Ingested(List.of("d"), List.of("c"), List.of()));
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void waitsForTheOtherAndAcceptsIfThatRollsBack(Inbox first, Inbox second) {
        try (Session one = database.session();
                Session two = database.session()) {
            ingest(one, first, "a", "b");
            CompletableFuture<Ingested> inCallers = begins(two, second, "b", "c");
            two.awaitBlockedBy(one);
            one.rollsBack();
            assertThat(result(inCallers)).isEqualTo(new Ingested(List.of("b", "c"), List.of(), List.of()));
            CompletableFuture<Ingested> own = beginsOwn(first, "c", "d");
            two.awaitBlocking();
            two.rollsBack();
            assertThat(result(own)).isEqualTo(new Ingested(List.of("c", "d"), List.of(), List.of()));
        }
    }

    /** The comparison is made after the wait, in a statement of its own. */
    @ParameterizedTest
    @EnumSource
    void comparesADuplicateWithWhatItWaitedFor(Strategy strategy) {
        try (Session one = database.session();
                Session two = database.session()) {
            ingest(one, inbox(strategy), "a", "b");
            CompletableFuture<Ingested> waits = two.beginsOn(connection -> inbox(strategy)
                    .within(connection)
                    .ingest(List.of(new Event("a", "\"another\""), Events.event("b"))));
            two.awaitBlockedBy(one);
            one.commits();
            assertThat(result(waits).differing()).containsExactly("a");
        }
    }

    @Test
    void advisoryLocksWaitBeforeAnythingIsWritten() {
        Inbox inbox = inbox(Strategy.ADVISORY_LOCKS);
        try (Session one = database.session();
                Session two = database.session();
                Session three = database.session()) {
            ingest(one, inbox, "b");
            CompletableFuture<Ingested> waits = begins(two, inbox, "a", "b", "c");
            two.awaitBlockedBy(one);
            // Nobody who goes by the rows alone has to wait for it: it holds none.
            assertThat(ingest(three, inbox(Strategy.ORDERED_UPSERT), "a", "c").accepted())
                    .hasSize(2);
            three.commits();
            one.commits();
            assertThat(result(waits).duplicates()).containsExactly("a", "b", "c");
        }
    }

    /** Keys that have nothing to do with each other meet on one lock, as by a collision of the hash. */
    @Test
    void aCollisionCostsOnlyWaiting() {
        Inbox inbox = inbox(Strategy.ADVISORY_LOCKS).stripes(1);
        try (Session one = database.session();
                Session two = database.session()) {
            ingest(one, inbox, "a");
            CompletableFuture<Ingested> waits = begins(two, inbox, "b");
            two.awaitBlockedBy(one);
            one.commits();
            assertThat(result(waits).accepted()).containsExactly("b");
            two.commits();
        }
        assertThat(database.events()).extracting(EventsRecord::getBusinessKey).containsExactly("a", "b");
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionThatIsKilledWithEventsInHandLetsThemGo(Strategy strategy) {
        try (Session killed = database.session();
                Session next = database.session()) {
            ingest(killed, inbox(strategy), "a", "b");
            CompletableFuture<Ingested> waits = begins(next, inbox(strategy), "b", "a");
            next.awaitBlockedBy(killed);
            database.sql(db -> db.execute("SELECT pg_terminate_backend(?, 10000)", killed.pid()));
            assertThat(result(waits).accepted()).containsExactly("b", "a");
            assertThat(AdvisoryLocks.heldBy(database, killed.pid())).isEmpty();
            next.commits();
        }
        assertThat(database.events()).hasSize(2);
        assertThat(AdvisoryLocks.inAll(database)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void noLockIsLeftOnAConnectionThatGoesBackToItsPool(Strategy strategy) throws SQLException {
        for (boolean autoCommit : new boolean[] {true, false}) {
            try (OneConnection pool = new OneConnection(database.dataSource(), autoCommit)) {
                Inbox inbox = Inbox.on(pool.dataSource()).strategy(strategy);
                int backend = pool.connection().unwrap(PGConnection.class).getBackendPID();
                inbox.ingest(events("a", "b"), (tx, accepted) -> {
                    boolean takesLocks = strategy == Strategy.ADVISORY_LOCKS;
                    assertThat(AdvisoryLocks.heldBy(database, backend)).hasSize(takesLocks ? 2 : 0);
                });
                assertThat(AdvisoryLocks.inAll(database)).isZero();
                assertThatExceptionOfType(IngestFailed.class)
                        .isThrownBy(() -> inbox.ingest(events("c"), (tx, accepted) -> tx.execute("SELECT 1 / 0")))
                        .withCauseInstanceOf(DataAccessException.class);
                assertThat(AdvisoryLocks.inAll(database)).isZero();
                assertThat(inbox.ingest(events("c", "d")).accepted()).hasSize(2);
                database.execute("DELETE FROM tributary.events");
            }
        }
    }
}
