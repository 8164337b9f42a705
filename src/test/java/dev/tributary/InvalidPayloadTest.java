package dev.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.support.Database;
import dev.tributary.support.Refusal;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON that jsonb refuses or would change is refused before SQL, with the path. The codec may be anybody's. */
class InvalidPayloadTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    /** Text to text: what a codec of the user's returns is whatever the test says. */
    private static final JobType<String> TYPE = type(1_000_000);

    private final JobQueue queue = database.queue();

    private static JobType<String> type(int maxPayloadBytes) {
        return JobType.named("RAW", String.class)
                .onePendingPer(json -> "k")
                .merging(Merge.union("ids")
                        .and(Merge.sum("n"))
                        .and(Merge.min("low"))
                        .and(Merge.latest("any")))
                .codec(codec(json -> json))
                .maxPayloadBytes(maxPayloadBytes)
                .build();
    }

    private static PayloadCodec<String> codec(Function<String, String> encode) {
        return new PayloadCodec<>() {
            @Override
            public String encode(String payload) {
                return encode.apply(payload);
            }

            @Override
            public String decode(String json) {
                return json;
            }
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"[]", "null", "\"x\"", "1", "true", "", " ", "x", "{", "}", "{}}", "{} {}", "{}1", "{}[]", "{} x"
            })
    void isOneJsonObject(String json) {
        refused(json, "RAW payload");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[]    | not a JSON object but an array",
                "1     | not a JSON object but a number",
                "null  | not a JSON object but null",
                "{} [] | the second is an array"
            })
    void isToldByTheNameThatJsonHasForIt(String json, String name) {
        refused(json, name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\": NaN}",
                "{\"a\": Infinity}",
                "{\"a\": -Infinity}",
                "{\"a\": 01}",
                "{\"a\": +1}",
                "{\"a\": .5}",
                "{\"a\": 5.}",
                "{\"a\": 0x1}",
                "{\"a\": undefined}",
                "{a: 1}",
                "{'a': 1}",
                "{\"a\": 1,}",
                "{\"a\": [1,]}",
                "{\"a\": [,1]}",
                "{\"a\": 1 /* one */}",
                "{\"a\": 1} // one",
                "# one\n{}",
                "{\"a\": \"\t\"}",
                "{\"a\": \"\\x\"}",
                "{\"a\": \"\\u12\"}",
                "\uFEFF{}"
            })
    void isJsonAndNoDialectOfIt(String json) {
        refused(json, "RAW payload");
    }

    @Test
    void isNotLeftOutByTheCodec() {
        JobType<String> type = JobType.named("NOTHING", String.class)
                .codec(codec(json -> null))
                .build();
        Refusal.of(database, InvalidPayload.class, q -> q.enqueue(type, "x"), "NOTHING payload", "codec returned null");
    }

    @Test
    void isRefusedIfTheCodecFails() {
        JobType<String> type = JobType.named("FAILING", String.class)
                .codec(codec(json -> {
                    throw new IllegalStateException("no JSON today");
                }))
                .build();
        Refusal.of(database, InvalidPayload.class, q -> q.enqueue(type, "x"), "FAILING payload", "cannot encode");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\": \"x\\u0000y\"}             | U+0000      | /a",
                "{\"a\\u0000\": 1}                  | U+0000      | /a",
                "{\"a\": {\"b\": [1, \"\\u0000\"]}} | U+0000      | /a/b/1",
                "{\"a\": {\"b\\u0000\": []}}        | U+0000      | /a/b",
                "{\"a\": \"\\ud83d\"}               | U+D83D      | /a",
                "{\"a\": \"\\ude00\\ud83d\"}        | U+DE00      | /a",
                "{\"a\": [\"x\\ud83dx\"]}           | U+D83D      | /a/0",
                "{\"\\ud83d\": 1}                   | surrogate   | name",
                "{\"a\": 1, \"a\": 1}               | Duplicate   | \"a\"",
                "{\"b\": {\"a\": 1, \"a\": 2}}      | Duplicate   | \"a\"",
                "{\"a\": 1, \"\\u0061\": 1}         | Duplicate   | \"a\"",
            })
    void holdsNothingThatJsonbRefusesOrDrops(String json, String flaw, String path) {
        refused(json, "RAW payload", flaw, path);
    }

    @Test
    void holdsNoRawLoneSurrogateOrNul() {
        refused("{\"a\": \"\uD83D\"}", "U+D83D", "/a");
        refused("{\"a\": \"\u0000\"}", "RAW payload");
        refused("{\"a\uDE00\": 1}", "U+DE00");
    }

    @Test
    void ofABatchIsRefusedWithItsPlace() {
        List<String> payloads = List.of("{}", "{\"a\": \"\\u0000\"}");
        Refusal.of(database, InvalidPayload.class, q -> q.enqueueAll(TYPE, payloads), "payload at index 1", "/a");
    }

    @Nested
    class Nesting {
        @ParameterizedTest
        @ValueSource(ints = {1_000, 1_001, 100_000})
        void tooDeepIsRefused(int levels) {
            refused("{\"a\": " + "[".repeat(levels) + "]".repeat(levels) + "}", "RAW payload", "nesting depth", "500");
            refused("{\"a\": ".repeat(levels) + "1" + "}".repeat(levels), "RAW payload", "nesting depth", "500");
        }

        @Test
        void ofHundredsOfLevelsIsStored() {
            queue.enqueue(TYPE, "{\"a\": " + "[".repeat(499) + "]".repeat(499) + "}");
            queue.enqueue(TYPE, "{\"ids\": " + "[".repeat(499) + "]".repeat(499) + "}");
            assertThat(database.jobs()).hasSize(1);
        }

        record Node(Node child) {}

        @Test
        void thatJacksonCannotWriteIsRefused() {
            Node node = null;
            for (int i = 0; i < 100_000; i++) {
                node = new Node(node);
            }
            Node deep = node;
            JobType<Node> type = JobType.named("NODE", Node.class).build();
            Refusal.of(database, InvalidPayload.class, q -> q.enqueue(type, deep), "NODE payload", "cannot encode");
        }
    }

    @Test
    void hasAtMostTheBytesOfItsType() {
        JobType<String> type = type(21);
        Refusal.of(
                database,
                InvalidPayload.class,
                q -> q.enqueue(type, "{\"a\": \"üüüüüüü\"}"),
                "RAW payload has 23",
                "21 (maxPayloadBytes)");
        assertThat(queue.enqueue(type, "{\"a\": \"üüüüüü\"}")).isInstanceOf(Enqueued.Inserted.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"ids\": \"p1\"} | \"ids\" | union | an array             | a string",
                "{\"ids\": 1}      | \"ids\" | union | an array             | a number",
                "{\"ids\": {}}     | \"ids\" | union | an array             | an object",
                "{\"n\": \"1\"}    | \"n\"   | sum   | a number             | a string",
                "{\"n\": []}       | \"n\"   | sum   | a number             | an array",
                "{\"low\": true}   | \"low\" | min   | a number or a string | not true",
                "{\"low\": {}}     | \"low\" | min   | a number or a string | an object"
            })
    void hasInAMergedFieldWhatItsMergeTakes(String json, String field, String rule, String takes, String found) {
        refused(json, field, rule, takes, found);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"ids\": null, \"n\": null, \"low\": null, \"any\": null}",
                "{\"nested\": {\"ids\": 1, \"n\": [], \"low\": {}}}",
                "{\"list\": [{\"ids\": 1}, {\"n\": true}]}",
                "{\"ids\": [], \"n\": 1e2, \"low\": \"\", \"any\": {\"ids\": 1}}"
            })
    void mayHaveNullInAMergedFieldAndAnythingBelowOthers(String json) {
        assertThat(queue.enqueue(TYPE, json)).isInstanceOf(Enqueued.Inserted.class);
    }

    private static void refused(String json, String... words) {
        Refusal.of(database, InvalidPayload.class, q -> q.enqueue(TYPE, json), words);
    }
}
