package dev.tributary.inbox;

import static dev.tributary.db.Tables.EVENTS;
import static dev.tributary.inbox.Events.event;
import static dev.tributary.inbox.Events.events;
import static dev.tributary.inbox.Events.keys;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.JobQueue;
import dev.tributary.TributarySchema;
import dev.tributary.db.tables.records.EventsRecord;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import java.util.ArrayList;
import java.util.List;
import org.jooq.JSONB;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link Inbox#ingest} in transactions of its own. */
class IngestTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();

    private static Inbox inbox(Strategy strategy) {
        return Inbox.on(database.pool()).strategy(strategy);
    }

    @ParameterizedTest
    @EnumSource
    void acceptsAnEventOnce(Strategy strategy) {
        assertThat(inbox(strategy).ingest(events("b", "a")))
                .isEqualTo(new Ingested(List.of("b", "a"), List.of(), List.of()));
        assertThat(inbox(strategy).ingest(events("c", "a", "b")))
                .isEqualTo(new Ingested(List.of("c"), List.of("a", "b"), List.of()));
        assertThat(database.events()).extracting(EventsRecord::getBusinessKey).containsExactly("a", "b", "c");
    }

    @ParameterizedTest
    @EnumSource
    void theFirstOfAKeyCountsWithinACallToo(Strategy strategy) {
        List<Event> events =
                List.of(new Event("a", "1"), event("b"), new Event("a", "2"), new Event("a", "1.0"), event("b"));
        assertThat(inbox(strategy).ingest(events))
                .isEqualTo(new Ingested(List.of("a", "b"), List.of("a", "a", "b"), List.of("a")));
        assertThat(stored("a")).isEqualTo("1");
    }

    @ParameterizedTest
    @EnumSource
    void aDuplicateChangesNothing(Strategy strategy) {
        inbox(strategy).ingest(List.of(new Event("a", "{\"v\": 1}")));
        String before = database.events().toString();
        inbox(strategy).ingest(List.of(new Event("a", "{\"v\": 2}")));
        assertThat(database.events().toString()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void tellsDuplicatesThatDifferByValue(Strategy strategy) {
        inbox(strategy).ingest(List.of(new Event("a", "{\"v\": [1, 2], \"w\": null}")));
        assertThat(inbox(strategy)
                        .ingest(List.of(
                                new Event("a", " { \"w\":null, \"v\":[1.0,2e0] } "),
                                new Event("a", "{\"v\": [2, 1], \"w\": null}"),
                                new Event("a", "{\"v\": [1, 2]}"),
                                new Event("a", "{\"v\": [\"1\", 2], \"w\": null}"))))
                .isEqualTo(new Ingested(List.of(), List.of("a", "a", "a", "a"), List.of("a", "a", "a")));
    }

    @ParameterizedTest
    @EnumSource
    void theActionEnqueuesInTheSameTransaction(Strategy strategy) {
        inbox(strategy).ingest(events("a"));
        List<Event> seen = new ArrayList<>();
        inbox(strategy).ingest(events("b", "a", "c"), (tx, accepted) -> {
            seen.addAll(accepted);
            queue.within(tx)
                    .enqueueAll(
                            Refresh.TYPE,
                            accepted.stream()
                                    .map(event -> Refresh.of("c1", event.businessKey()))
                                    .toList());
            assertThat(tx.fetchCount(EVENTS)).isEqualTo(3);
            assertThat(database.events()).as("as others see it").hasSize(1);
            assertThat(database.jobs()).as("as others see it").isEmpty();
        });
        assertThat(seen).containsExactly(event("b"), event("c"));
        assertThat(Refresh.ids(database.jobs().get(0).getConfig().data())).containsExactly("b", "c");
    }

    @ParameterizedTest
    @EnumSource
    void theActionIsNotCalledForDuplicatesAlone(Strategy strategy) {
        inbox(strategy).ingest(events("a"));
        inbox(strategy).ingest(events("a", "a"), (tx, accepted) -> {
            throw new AssertionError("called with " + accepted);
        });
        inbox(strategy).ingest(List.of(), (tx, accepted) -> {
            throw new AssertionError("called with " + accepted);
        });
    }

    @ParameterizedTest
    @EnumSource
    void goesInBatchesInTheOrderOfTheCallWithEachRepeatInTheBatchOfItsFirst(Strategy strategy) {
        List<List<String>> batches = new ArrayList<>();
        Ingested ingested = inbox(strategy)
                .batchSize(2)
                .ingest(events("e", "d", "c", "e", "b", "a", "a"), (tx, accepted) -> batches.add(keys(accepted)));
        assertThat(batches).containsExactly(List.of("e", "d"), List.of("c", "b"), List.of("a"));
        assertThat(ingested).isEqualTo(new Ingested(List.of("e", "d", "c", "b", "a"), List.of("e", "a"), List.of()));
    }

    @Test
    void batchesStayWithinTheLockBudgetUnlessTheyAreFolded() {
        assertThat(batches(inbox(Strategy.ADVISORY_LOCKS).lockBudget(3))).containsExactly(3, 3, 1);
        assertThat(batches(inbox(Strategy.ADVISORY_LOCKS).lockBudget(3).stripes(4)))
                .containsExactly(3, 3, 1);
        assertThat(batches(inbox(Strategy.ADVISORY_LOCKS).lockBudget(3).stripes(3)))
                .containsExactly(7);
        assertThat(batches(inbox(Strategy.ORDERED_UPSERT).lockBudget(3))).containsExactly(7);
    }

    private static List<Integer> batches(Inbox inbox) {
        database.execute("DELETE FROM tributary.events");
        List<Integer> batches = new ArrayList<>();
        inbox.ingest(events("k", 7), (tx, accepted) -> batches.add(accepted.size()));
        return batches;
    }

    @ParameterizedTest
    @EnumSource
    void aBatchEndsEarlierIfItsPayloadsAreLong(Strategy strategy) {
        String long7 = "\"" + "x".repeat(7 * 1024 * 1024) + "\"";
        List<Event> events =
                List.of(new Event("a", long7), new Event("b", long7), new Event("c", long7), new Event("d", "1"));
        List<List<String>> batches = new ArrayList<>();
        inbox(strategy).ingest(events, (tx, accepted) -> batches.add(keys(accepted)));
        assertThat(batches).containsExactly(List.of("a", "b"), List.of("c", "d"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"inbox two", "Ünï", "a\"b", "pgx.events"})
    void worksInAnySchema(String schema) {
        TributarySchema.migrate(database.dataSource(), schema);
        for (Strategy strategy : Strategy.values()) {
            Inbox elsewhere = Inbox.on(database.pool(), schema).strategy(strategy);
            assertThat(elsewhere
                            .ingest(events("a" + strategy), (tx, accepted) -> {
                                // The generated table means the table of the inbox.
                                assertThat(tx.fetchExists(EVENTS, EVENTS.BUSINESS_KEY.eq("a" + strategy)))
                                        .isTrue();
                                EventsRecord event = tx.fetchSingle(EVENTS, EVENTS.BUSINESS_KEY.eq("a" + strategy));
                                event.setPayload(JSONB.jsonb("7"));
                                event.store();
                            })
                            .accepted())
                    .hasSize(1);
            assertThat(elsewhere.ingest(List.of(new Event("a" + strategy, "7"))).differing())
                    .isEmpty();
        }
        assertThat(database.events()).isEmpty();
    }

    private static String stored(String key) {
        return database.sql(db -> db.fetchValue(EVENTS.PAYLOAD, EVENTS.BUSINESS_KEY.eq(key)))
                .data();
    }
}
