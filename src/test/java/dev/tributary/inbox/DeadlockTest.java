package dev.tributary.inbox;

import static dev.tributary.support.Session.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.support.Database;
import dev.tributary.support.Session;
import dev.tributary.support.Soak;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two transactions with the same keys in opposite orders: why everything is sorted, and that it is. */
class DeadlockTest {
    private static final int ROUNDS = Soak.rounds(100, 1_000);

    @RegisterExtension
    static final Database database = Database.migrated();

    private static Inbox inbox(Strategy strategy) {
        return Inbox.on(database.pool()).strategy(strategy);
    }

    static Stream<Arguments> pairs() {
        return Stream.of(
                Arguments.of("locks", inbox(Strategy.ADVISORY_LOCKS), inbox(Strategy.ADVISORY_LOCKS)),
                Arguments.of("upserts", inbox(Strategy.ORDERED_UPSERT), inbox(Strategy.ORDERED_UPSERT)),
                Arguments.of("one of each", inbox(Strategy.ADVISORY_LOCKS), inbox(Strategy.ORDERED_UPSERT)),
                Arguments.of(
                        "stripes",
                        inbox(Strategy.ADVISORY_LOCKS).stripes(3),
                        inbox(Strategy.ADVISORY_LOCKS).stripes(5)));
    }

    /** In the caller's transaction, where a deadlock is not run again but passes through and fails the test. */
    @Tag("soak")
    @ParameterizedTest(name = "{0}")
    @MethodSource("pairs")
    void neverHappensInManyRounds(String name, Inbox one, Inbox two) {
        CyclicBarrier together = new CyclicBarrier(2);
        List<CompletableFuture<Integer>> clients = Stream.of(one, two)
                .map(inbox -> CompletableFuture.supplyAsync(
                        () -> accepted(inbox, inbox == two, together), task -> new Thread(task).start()))
                .toList();
        int accepted = clients.stream().mapToInt(CompletableFuture::join).sum();
        assertThat(accepted).isEqualTo(ROUNDS * 8).isEqualTo(database.events().size());
    }

    private static int accepted(Inbox inbox, boolean backwards, CyclicBarrier together) {
        int accepted = 0;
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            for (int round = 0; round < ROUNDS; round++) {
                List<Event> events = new ArrayList<>(Events.events("round " + round + " key ", 8));
                if (backwards) {
                    Collections.reverse(events);
                }
                together.await();
                accepted += committed(connection, inbox, events);
            }
            return accepted;
        } catch (SQLException | InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * The statements of the library but for the order. One takes a, waits in the middle, and wants b; the other takes b and wants a.
     * PostgreSQL finds the circle, of advisory locks as well as of rows, and ends one of the two.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT pg_advisory_xact_lock(hashtextextended(key, 0)) FROM unnest(ARRAY[%s]) AS key",
                "INSERT INTO tributary.events (business_key, payload) SELECT key, '1' FROM unnest(ARRAY[%s]) AS key"
                        + " ON CONFLICT (business_key) DO NOTHING"
            })
    void happensWithoutTheOrder(String unordered) throws SQLException {
        try (Session middle = database.session();
                Session one = database.session();
                Session two = database.session()) {
            middle.executes(String.format(unordered, "'middle'"));
            CompletableFuture<String> forth =
                    one.beginsOn(c -> outcome(c, String.format(unordered, "'a', 'middle', 'b'")));
            one.awaitBlockedBy(middle);
            CompletableFuture<String> back = two.beginsOn(c -> outcome(c, String.format(unordered, "'b', 'a'")));
            two.awaitBlockedBy(one);
            middle.commits();
            assertThat(List.of(result(forth), result(back))).containsExactlyInAnyOrder("done", "40P01");
        }
    }

    /** The same three in the same places, by the library: whoever comes first goes first. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("pairs")
    void doesNotHappenWithTheOrder(String name, Inbox first, Inbox second) {
        List<Event> all = Events.events("key ", 20);
        List<Event> reversed = new ArrayList<>(all);
        Collections.reverse(reversed);
        try (Session middle = database.session();
                Session one = database.session();
                Session two = database.session()) {
            middle.doesOn(c -> first.within(c).ingest(all.subList(9, 10)));
            CompletableFuture<Integer> forth = one.beginsOn(c -> committed(c, first, all));
            one.awaitBlockedBy(middle);
            CompletableFuture<Integer> back = two.beginsOn(c -> committed(c, second, reversed));
            two.awaitBlocked();
            middle.commits();
            assertThat(List.of(result(forth), result(back))).containsExactlyInAnyOrder(19, 0);
        }
    }

    private static int committed(Connection connection, Inbox inbox, List<Event> events) {
        try {
            int accepted = inbox.within(connection).ingest(events).accepted().size();
            connection.commit();
            return accepted;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String outcome(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return "done";
        } catch (SQLException e) {
            return e.getSQLState();
        }
    }
}
