package dev.tributary.inbox;

import static dev.tributary.inbox.Events.event;
import static dev.tributary.inbox.Events.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.InvalidArgument;
import dev.tributary.TributaryException;
import dev.tributary.db.tables.records.EventsRecord;
import dev.tributary.support.Database;
import dev.tributary.support.Refusal;
import dev.tributary.support.Session;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bad input is refused by name before any SQL, or left out if somebody is told. */
class InvalidEventTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    static Stream<Arguments> invalid() {
        return Stream.of(
                Arguments.of(null, "it is null"),
                Arguments.of(new Event(null, "{}"), "the business key is null"),
                Arguments.of(new Event("", "{}"), "the business key is empty"),
                Arguments.of(
                        new Event("é".repeat(513), "{}"), "a business key has at most 1024 bytes, this one 1026: \"éé"),
                Arguments.of(new Event("a\0b", "{}"), "the business key holds U+0000 at character 1"),
                Arguments.of(new Event("ab\uD83D", "{}"), "the business key holds a lone surrogate (U+D83D)"),
                Arguments.of(new Event("\uDE00", "{}"), "the business key holds a lone surrogate (U+DE00)"),
                Arguments.of(new Event("k", null), "the payload is null"),
                Arguments.of(new Event("k", ""), "the payload: not JSON but nothing"),
                Arguments.of(new Event("k", "  \n"), "the payload: not JSON but nothing"),
                Arguments.of(new Event("k", "{"), "the payload: "),
                Arguments.of(new Event("k", "nonsense"), "the payload: "),
                Arguments.of(new Event("k", "{'a': 1}"), "the payload: "),
                Arguments.of(new Event("k", "[1,]"), "the payload: "),
                Arguments.of(new Event("k", "NaN"), "the payload: "),
                Arguments.of(new Event("k", "1 2"), "the payload: more than one JSON value"),
                Arguments.of(new Event("k", "{\"a\": 1, \"a\": 2}"), "the payload: "),
                Arguments.of(new Event("k", "{\"a\": [\"\\u0000\"]}"), "the payload: U+0000"),
                Arguments.of(new Event("k", "\"\\ud83d\""), "the payload: a lone surrogate"),
                Arguments.of(new Event("k", "[".repeat(100_000)), "the payload: "),
                Arguments.of(new Event("k", "{\"a\": 1e999999999}"), "the payload: a number"),
                Arguments.of(
                        new Event("k", "\"" + "x".repeat(16 * 1024 * 1024) + "\""),
                        "the payload has at most 16777216 bytes, this one 16777218"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("invalid")
    void refusesTheCallWithTheIndexAndTheReason(Event invalid, String reason) {
        List<Event> events = Arrays.asList(event("a"), event("b"), invalid, event("c"), new Event("", ""));
        assertRefused(InvalidEvent.class, inbox -> inbox.ingest(events), "event at index 2: " + reason);
        assertThatExceptionOfType(InvalidEvent.class)
                .isThrownBy(() -> withoutConnections().ingest(events))
                .satisfies(e -> {
                    assertThat(e.index()).isEqualTo(2);
                    assertThat(e.event()).isEqualTo(invalid);
                    assertThat(e.reason()).startsWith(reason);
                });
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("invalid")
    void skipsItAndTellsAndLosesNothingElse(Event invalid, String reason) {
        List<InvalidEvent> skipped = new ArrayList<>();
        Ingested ingested = Inbox.on(database.pool())
                .skipInvalid(skipped::add)
                .ingest(Arrays.asList(event("a"), invalid, event("b"), invalid, event("a")));
        assertThat(ingested).isEqualTo(new Ingested(List.of("a", "b"), List.of("a"), List.of()));
        assertThat(database.events()).extracting(EventsRecord::getBusinessKey).containsExactly("a", "b");
        assertThat(skipped).extracting(InvalidEvent::index).containsExactly(1, 3);
        assertThat(skipped).allMatch(e -> e.reason().startsWith(reason)).allMatch(e -> e.event() == invalid);
    }

    @Test
    void asksForNoConnectionIfAllIsSkipped() {
        List<InvalidEvent> skipped = new ArrayList<>();
        assertThat(withoutConnections().skipInvalid(skipped::add).ingest(Arrays.asList(null, new Event("", "{}"))))
                .isEqualTo(new Ingested(List.of(), List.of(), List.of()));
        assertThat(skipped).hasSize(2);
    }

    @Test
    void aListenerThatThrowsEndsTheCallBeforeAnythingIsSent() {
        RuntimeException thrown = new IllegalStateException("no room for letters");
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> withoutConnections()
                        .skipInvalid(e -> {
                            throw thrown;
                        })
                        .ingest(Arrays.asList(event("a"), null)))
                .isSameAs(thrown);
    }

    @Test
    void takesTheLongestKeyAndPayloadThereMayBe() {
        String json = "\"" + "é".repeat(8 * 1024 * 1024 - 1) + "\"";
        String key = "é".repeat(512);
        assertThat(Inbox.on(database.pool())
                        .ingest(List.of(new Event(key, json)))
                        .accepted())
                .containsExactly(key);
    }

    @Test
    void refusesNullsAndNumbersOutOfRange() {
        assertRefused(InvalidArgument.class, inbox -> inbox.ingest(null), "the events are null");
        assertRefused(InvalidArgument.class, inbox -> inbox.ingest(events("a"), null), "the action is null");
        assertRefused(InvalidArgument.class, inbox -> inbox.strategy(null), "the strategy is null");
        assertRefused(InvalidArgument.class, inbox -> inbox.skipInvalid(null), "the listener is null");
        assertRefused(InvalidArgument.class, inbox -> inbox.batchSize(0), "the batch size is 0", "at least 1");
        assertRefused(InvalidArgument.class, inbox -> inbox.lockBudget(-1), "the lock budget is -1", "at least 1");
        assertRefused(InvalidArgument.class, inbox -> inbox.stripes(0), "the number of stripes is 0", "at least 1");
        assertRefused(
                InvalidArgument.class, inbox -> inbox.within((java.sql.Connection) null), "the connection is null");
        assertRefused(InvalidArgument.class, inbox -> inbox.within((org.jooq.DSLContext) null), "DSLContext is null");
        assertThatExceptionOfType(InvalidArgument.class).isThrownBy(() -> Inbox.on(null));
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(() -> Inbox.on(database.pool(), "pg_inbox"))
                .withMessageContaining("pg_");
    }

    private static Inbox withoutConnections() {
        return Inbox.on(Refusal.dataSourceWithoutConnections());
    }

    /** Before any SQL, and in a caller's transaction that goes on. */
    private static void assertRefused(
            Class<? extends TributaryException> refusal, Function<Inbox, ?> verb, String... words) {
        assertThatExceptionOfType(refusal)
                .isThrownBy(() -> verb.apply(withoutConnections()))
                .satisfies(e -> assertThat(e.getMessage()).contains(words));
        try (Session tx = database.session()) {
            tx.executes("CREATE TEMPORARY TABLE caller (n int)");
            tx.doesOn(connection -> {
                assertThatExceptionOfType(refusal)
                        .isThrownBy(() -> verb.apply(Inbox.on(database.pool()).within(connection)))
                        .satisfies(e -> assertThat(e.getMessage()).contains(words));
                return true;
            });
            tx.executes("INSERT INTO caller VALUES (1)");
            tx.commits();
        }
        assertThat(database.events()).isEmpty();
    }
}
