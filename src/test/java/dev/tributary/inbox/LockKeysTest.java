package dev.tributary.inbox;

import static dev.tributary.inbox.Events.events;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.TributarySchema;
import dev.tributary.support.Database;
import dev.tributary.support.Session;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which advisory locks are taken, and in which order. */
class LockKeysTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final Inbox inbox = Inbox.on(database.pool()).strategy(Strategy.ADVISORY_LOCKS);

    private List<Long> locks(Inbox inbox, String... keys) {
        try (Session session = database.session()) {
            session.doesOn(connection -> inbox.within(connection).ingest(events(keys)));
            return AdvisoryLocks.heldBy(database, session.pid());
        }
    }

    /** Two versions of the library side by side exclude each other only as long as these stay as they are. */
    @ParameterizedTest
    @CsvSource({
        "a, 6819418519319918972",
        "b, 6030292699189419216",
        "evt-000001, 1921157757453522671",
        "bücher/日用品, -3868732342964349711",
    })
    void theLockOfAKeyStaysTheSame(String key, long lock) {
        assertThat(locks(inbox, key)).containsExactly(lock);
    }

    @Test
    void theLocksOfStripesStayTheSame() {
        assertThat(locks(inbox.stripes(3), "a", "b", "c", "d", "e", "f", "g", "h"))
                .containsExactly(-3757353464204927495L, 1717536416498061777L, 8964150884413315380L);
    }

    @Test
    void eachLockIsTakenOnce() {
        assertThat(locks(inbox, "a", "b", "a", "b", "a")).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void anotherSchemaHasOtherLocks() {
        TributarySchema.migrate(database.dataSource(), "other");
        Inbox other = Inbox.on(database.pool(), "other").strategy(Strategy.ADVISORY_LOCKS);
        assertThat(locks(other, "a", "b")).doesNotContainAnyElementsOf(locks(inbox, "a", "b"));
    }

    @Test
    void aHostsOwnLocksAreNotInTheWay() {
        try (Session host = database.session()) {
            host.executes(
                    "SELECT pg_advisory_xact_lock(n), pg_advisory_xact_lock(n, n) FROM generate_series(-500, 500) n");
            assertThat(locks(inbox, "0", "1", "2", "3")).hasSize(4);
            assertThat(locks(inbox.stripes(2), "0", "1", "2", "3")).hasSize(2);
        }
    }

    @Test
    void stripesSpreadTheKeysEvenly() {
        String[] keys = events("k", 400).stream().map(Event::businessKey).toArray(String[]::new);
        assertThat(locks(inbox.stripes(1), keys)).hasSize(1);
        assertThat(locks(inbox.stripes(2), keys)).hasSize(2);
        assertThat(locks(inbox.stripes(64), keys)).hasSize(64);
        Map<Long, Integer> keysOf = new HashMap<>();
        try (Session session = database.session()) {
            for (Event event : events("k", 200)) {
                session.doesOn(connection -> inbox.stripes(4).within(connection).ingest(List.of(event)));
                keysOf.merge(AdvisoryLocks.heldBy(database, session.pid()).get(0), 1, Integer::sum);
                session.rollsBack();
            }
        }
        assertThat(keysOf).hasSize(4);
        assertThat(keysOf.values()).allMatch(times -> times > 30);
    }

    static Stream<String> planners() {
        return Stream.of(
                "SET LOCAL plan_cache_mode = force_generic_plan",
                "SET LOCAL plan_cache_mode = force_custom_plan",
                "SET LOCAL enable_sort = off",
                "SET LOCAL enable_hashagg = off",
                "SET LOCAL enable_sort = off; SET LOCAL enable_hashagg = off",
                "SET LOCAL jit_above_cost = 0",
                "SET LOCAL parallel_setup_cost = 0; SET LOCAL parallel_tuple_cost = 0; SET LOCAL work_mem = '64kB'");
    }

    /**
     * Whatever the planner is told: a transaction that waits for one of its locks holds all that are smaller and none that is
     * greater.
     */
    @ParameterizedTest
    @MethodSource("planners")
    void locksAreTakenInAscendingOrder(String planner) {
        String[] keys = events("key ", 60).stream().map(Event::businessKey).toArray(String[]::new);
        List<Long> all = locks(inbox, keys);
        assertThat(all).hasSize(60).isSorted();
        for (int place : new int[] {0, 29, 59}) {
            try (Session holder = database.session();
                    Session waiter = database.session()) {
                holder.executes("SELECT pg_advisory_xact_lock(" + all.get(place) + ")");
                waiter.executes(planner);
                CompletableFuture<Ingested> waits =
                        waiter.beginsOn(connection -> inbox.within(connection).ingest(events("key ", 60)));
                waiter.awaitBlockedBy(holder);
                assertThat(AdvisoryLocks.heldBy(database, waiter.pid())).isEqualTo(all.subList(0, place));
                holder.rollsBack();
                assertThat(Session.result(waits).accepted()).hasSize(60);
                waiter.rollsBack();
            }
        }
    }
}
