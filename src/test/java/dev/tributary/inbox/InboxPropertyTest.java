package dev.tributary.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.support.Database;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/** Any deliveries in any calls, under any settings, held against a map. */
class InboxPropertyTest {
    private static final Database DATABASE = Database.migrated();

    /** By value: the texts of one number are the same payload. */
    private static final Map<String, String> VALUE_OF = Map.of(
            "1",
            "one",
            "1.0",
            "one",
            "10e-1",
            "one",
            "\"1\"",
            "text",
            "{\"a\":1,\"b\":2}",
            "object",
            "{ \"b\" : 2, \"a\" : 1.00 }",
            "object",
            "null",
            "null",
            "[]",
            "array");

    @AfterContainer
    static void drop() {
        DATABASE.close();
    }

    @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
    void acceptsWhatAMapWouldTake(
            @ForAll("calls") List<List<Event>> calls, @ForAll("inboxes") Inbox inbox, @ForAll boolean within) {
        DATABASE.execute("DELETE FROM tributary.events");
        Map<String, String> model = new HashMap<>();
        for (List<Event> call : calls) {
            List<String> seen = new ArrayList<>();
            OnAccepted action = (tx, accepted) -> seen.addAll(Events.keys(accepted));
            Ingested expected = expected(model, call);
            assertThat(within ? within(inbox, call, action) : inbox.ingest(call, action))
                    .isEqualTo(expected);
            assertThat(seen).isEqualTo(expected.accepted());
        }
        assertThat(DATABASE.events())
                .allMatch(event -> VALUE_OF.getOrDefault(event.getPayload().data(), "object")
                        .equals(model.get(event.getBusinessKey())))
                .hasSameSizeAs(model.keySet());
    }

    private static Ingested expected(Map<String, String> model, List<Event> call) {
        List<String> accepted = new ArrayList<>();
        List<String> duplicates = new ArrayList<>();
        List<String> differing = new ArrayList<>();
        for (Event event : call) {
            String value = VALUE_OF.get(event.payloadJson());
            String before = model.putIfAbsent(event.businessKey(), value);
            (before == null ? accepted : duplicates).add(event.businessKey());
            if (before != null && !before.equals(value)) {
                differing.add(event.businessKey());
            }
        }
        return new Ingested(accepted, duplicates, differing);
    }

    private static Ingested within(Inbox inbox, List<Event> call, OnAccepted action) {
        return DATABASE.sql(db -> db.transactionResult(
                tx -> inbox.lockBudget(500).within(tx.dsl()).ingest(call, action)));
    }

    @Provide
    Arbitrary<List<List<Event>>> calls() {
        Arbitrary<String> keys =
                Arbitraries.of("a", "b", "B", " ", "é", "e\u0301", "日", "😀", "'", "\\", "\"", "{}", ",", "NULL");
        Arbitrary<Event> events =
                Combinators.combine(keys, Arbitraries.of(VALUE_OF.keySet())).as(Event::new);
        return events.list().ofMaxSize(12).list().ofMaxSize(4);
    }

    @Provide
    Arbitrary<Inbox> inboxes() {
        return Combinators.combine(
                        Arbitraries.of(Strategy.class),
                        Arbitraries.integers().between(1, 5),
                        Arbitraries.integers().between(1, 5),
                        Arbitraries.integers().between(0, 3))
                .as((strategy, batchSize, lockBudget, stripes) -> {
                    Inbox inbox = Inbox.on(DATABASE.pool())
                            .strategy(strategy)
                            .batchSize(batchSize)
                            .lockBudget(lockBudget);
                    return stripes == 0 ? inbox : inbox.stripes(stripes);
                });
    }
}
