package dev.tributary.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tributary.db.tables.records.EventsRecord;
import dev.tributary.support.Database;
import dev.tributary.support.Soak;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Eight clients deliver the same events, each in an order of its own and in batches of its own sizes; their connections are
 * killed all the while, and what failed is delivered again. Each event is stored once, and its action has taken effect once.
 */
@Tag("soak")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExactlyOnceTest {
    private static final int CLIENTS = 8;
    private static final int EVENTS = Soak.rounds(2_000, 20_000);
    private static final int KILLS = Soak.rounds(20, 100);

    @RegisterExtension
    static final Database database = Database.migrated();

    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicInteger accepted = new AtomicInteger();

    @BeforeEach
    void effects() {
        database.execute("DROP TABLE IF EXISTS public.effects; CREATE TABLE public.effects (business_key text)");
    }

    static Stream<Arguments> settings() {
        return Stream.of(
                Arguments.of("locks", List.of(Strategy.ADVISORY_LOCKS), 0),
                Arguments.of("upserts", List.of(Strategy.ORDERED_UPSERT), 0),
                Arguments.of("two stripes", List.of(Strategy.ADVISORY_LOCKS), 2),
                Arguments.of("one of each", List.of(Strategy.values()), 0));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("settings")
    void whateverTheOrderAndWhoeverIsKilled(String name, List<Strategy> strategies, int stripes) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(CLIENTS);
        AtomicBoolean done = new AtomicBoolean();
        try (HikariDataSource pool = new HikariDataSource(config)) {
            List<CompletableFuture<Void>> clients = IntStream.range(0, CLIENTS)
                    .mapToObj(client -> {
                        Inbox inbox = Inbox.on(pool).strategy(strategies.get(client % strategies.size()));
                        return onThread(
                                () -> deliver(stripes > 0 ? inbox.stripes(stripes) : inbox, new Random(client)));
                    })
                    .toList();
            CompletableFuture<Void> killer = onThread(() -> kill(done));
            CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new))
                    .whenComplete((nothing, error) -> done.set(true))
                    .join();
            killer.join();
        }
        assertThat(failures).as("deliveries that failed").hasPositiveValue();
        List<String> expected = Events.keys(Events.events("evt-", EVENTS));
        assertThat(database.events())
                .extracting(EventsRecord::getBusinessKey)
                .containsExactlyInAnyOrderElementsOf(expected);
        List<String> effects = database.sql(
                db -> db.fetch("SELECT business_key FROM public.effects").getValues(0, String.class));
        assertThat(effects).containsExactlyInAnyOrderElementsOf(expected);
        // An answer may be lost with its connection after the commit, so that nobody is told that an event was new.
        assertThat(accepted.get()).isBetween(EVENTS - failures.get() * 700, EVENTS);
        assertThat(AdvisoryLocks.inAll(database)).isZero();
    }

    private static CompletableFuture<Void> onThread(Runnable work) {
        return CompletableFuture.runAsync(work, task -> new Thread(task).start());
    }

    private void deliver(Inbox inbox, Random random) {
        List<Event> events = new ArrayList<>(Events.events("evt-", EVENTS));
        Collections.shuffle(events, random);
        int from = 0;
        while (from < EVENTS) {
            int to = Math.min(EVENTS, from + 1 + random.nextInt(700));
            try {
                accepted.addAndGet(inbox.batchSize(1 + random.nextInt(700))
                        .ingest(events.subList(from, to), ExactlyOnceTest::effect)
                        .accepted()
                        .size());
                from = to;
            } catch (IngestFailed killed) {
                assertThat(killed.getCause())
                        .isInstanceOfSatisfying(
                                DataAccessException.class,
                                cause -> assertThat(cause.sqlState()).matches("08...|57P01"));
                accepted.addAndGet(killed.committed().accepted().size());
                failures.incrementAndGet();
            } catch (DataAccessException killed) {
                assertThat(killed.sqlState()).matches("08...|57P01");
                failures.incrementAndGet();
            }
        }
    }

    private static void effect(DSLContext tx, List<Event> accepted) {
        tx.execute("INSERT INTO public.effects SELECT unnest(?::text[])", (Object)
                Events.keys(accepted).toArray(String[]::new));
    }

    /** One random client that is in a transaction, so many times. */
    private static void kill(AtomicBoolean done) {
        for (int killed = 0; killed < KILLS && !done.get(); ) {
            killed += database.sql(db ->
                    db.fetch("""
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                     WHERE datname = current_database() AND pid <> pg_backend_pid()
                       AND xact_start < clock_timestamp() - ? * interval '1 millisecond'
                     ORDER BY random() LIMIT 1""", ThreadLocalRandom.current().nextInt(2, 60)).size());
        }
    }
}
