package dev.tributary;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import dev.tributary.support.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Definitions of types, backoffs, results and reasons that are refused, or stored as they can be. */
class InvalidTypeTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n", "a\u0000b", "\uD83D", "\uDE00"})
    void namesThatCannotBeStoredAreRefused(String name) {
        refused(() -> JobType.named(name, Refresh.class), "the name of a job type", name.isBlank() ? "blank" : "holds");
    }

    @Test
    void namesHaveAtMostTwoHundredAndFiftyFiveBytes() {
        refused(() -> JobType.named("n".repeat(256), Refresh.class), "1 to 255 bytes", "this one 256", "nnnn…");
        refused(() -> JobType.named("ü".repeat(128), Refresh.class), "1 to 255 bytes");
        JobType<Refresh> longest =
                JobType.named("ü".repeat(127) + "n", Refresh.class).build();
        queue.enqueue(longest, Refresh.of("c1"));
        assertThat(queue.reserve(longest, 1, LEASE)).hasSize(1);
    }

    @Test
    void keyAndMergeGoTogether() {
        refused(
                () -> JobType.named("T", Refresh.class)
                        .onePendingPer(Refresh::catalogId)
                        .build(),
                "T:",
                "merging is missing");
        refused(
                () -> JobType.named("T", Refresh.class).merging(Merge.latest()).build(),
                "T:",
                "onePendingPer is missing");
    }

    @Test
    void partsAreNotNullOrBelowOne() {
        JobType.Builder<Refresh> builder = JobType.named("T", Refresh.class);
        refused(() -> JobType.named(null, Refresh.class), "the name of the job type is null");
        refused(() -> JobType.named("T", null), "the payload class is null");
        refused(() -> builder.build().key(null), "the payload is null");
        refused(() -> TYPE.key(null), "the payload is null");
        refused(() -> builder.onePendingPer(null), "the key function is null");
        refused(() -> builder.merging(null), "the merge strategy is null");
        refused(() -> builder.backoff(null), "the backoff is null");
        refused(() -> builder.codec(null), "the codec is null");
        refused(() -> PayloadCodec.json(null), "the payload class is null");
        refused(() -> PayloadCodec.json(Refresh.class, null), "the JSON mapper is null");
        for (int wrong : new int[] {0, -1, Integer.MIN_VALUE}) {
            refused(() -> builder.maxAttempts(wrong), "maxAttempts is " + wrong, "at least 1");
            refused(() -> builder.maxPayloadBytes(wrong), "maxPayloadBytes is " + wrong, "at least 1");
        }
        assertThat(builder.build().maxAttempts()).isEqualTo(10);
    }

    @Nested
    class Backoffs {
        @Test
        void ofTheUsersOwnAreCheckedBeforeTheyAreUsed() {
            ReservedJob<Refresh> none = reserved(attempt -> null);
            ReservedJob<Refresh> negative = reserved(attempt -> Duration.ofSeconds(-attempt));
            ReservedJob<Refresh> endless = reserved(attempt -> Duration.ofDays(36_501));
            JobQueue unconnected = Refusal.queueWithoutConnections();
            refused(() -> unconnected.requeue(none, "why"), "the backoff of T after attempt 1 is null");
            refused(() -> unconnected.requeue(negative, "why"), "the backoff of T after attempt 1 is PT-1S");
            refused(() -> unconnected.requeue(endless, "why"), "the backoff of T after attempt 1 is", "36500 days");
            assertThat(database.jobs(JobStatus.RUNNING)).hasSize(3);
        }

        @ParameterizedTest
        @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1, 2, 10, 31, 32, 62, 63, 64, 65, 1000, Integer.MAX_VALUE})
        void thatDoubleStayInTheirBounds(int attempt) {
            Duration first = Duration.ofSeconds(1);
            Duration max = Duration.ofMinutes(5);
            for (int i = 0; i < 100; i++) {
                assertThat(Backoff.exponential(first, max).delay(attempt))
                        .isBetween(first.multipliedBy(8).dividedBy(10), max);
            }
            Duration century = Duration.ofDays(36_500);
            assertThat(Backoff.exponential(century, century).delay(attempt))
                    .isBetween(century.multipliedBy(8).dividedBy(10), century);
            assertThat(Backoff.exponential(Duration.ofNanos(1), century).delay(attempt))
                    .isBetween(Duration.ZERO, century);
        }

        @Test
        void doubleFromTheFirstToTheLongest() {
            Backoff backoff = Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(6));
            int[] longest = {1, 2, 4, 6, 6};
            for (int attempt = 1; attempt <= longest.length; attempt++) {
                Duration bound = Duration.ofSeconds(longest[attempt - 1]);
                assertThat(backoff.delay(attempt))
                        .isBetween(bound.multipliedBy(8).dividedBy(10), bound);
            }
        }

        @Test
        void thatEndBelowWhereTheyBeginAreRefused() {
            refused(
                    () -> Backoff.exponential(Duration.ofSeconds(2), Duration.ofSeconds(1)),
                    "the longest backoff is PT1S",
                    "PT2S");
        }

        private ReservedJob<Refresh> reserved(Backoff backoff) {
            JobType<Refresh> type =
                    JobType.named("T", Refresh.class).backoff(backoff).build();
            queue.enqueue(type, Refresh.of("c1"));
            return queue.reserve(type, 1, LEASE).get(0);
        }
    }

    @Nested
    class Results {
        record Cycle(List<Object> self) {}

        @Test
        void thatCannotBeStoredAreRefusedAndTheJobIsStillHeld() {
            ReservedJob<Refresh> job = reserved();
            List<Object> self = new ArrayList<>();
            self.add(self);
            JobQueue unconnected = Refusal.queueWithoutConnections();
            for (Object result : List.of(new Cycle(self), "a\u0000b", List.of("\uD83D"))) {
                assertThatExceptionOfType(InvalidPayload.class)
                        .isThrownBy(() -> unconnected.complete(job, result))
                        .withMessageContaining("the result of PRICE_REFRESH job " + job.id());
            }
            assertThat(queue.complete(job, "fine")).isEqualTo(Settled.DONE);
            assertThat(database.job(job.id()).getResult().data()).isEqualTo("\"fine\"");
        }
    }

    @Nested
    class Reasons {
        @Test
        void areStoredWithReplacementsForWhatCannotBe() {
            assertThat(lastError("a\u0000b\uD83Dc\uDE00 😀")).isEqualTo("a\uFFFDb\uFFFDc\uFFFD 😀");
            assertThat(lastError(null)).isEmpty();
        }

        @Test
        void areCutAtEightThousandBytesBetweenCharacters() {
            assertThat(lastError("x".repeat(100_000))).isEqualTo("x".repeat(8192));
            assertThat(lastError("x" + "😀".repeat(100_000))).isEqualTo("x" + "😀".repeat(2047));
            assertThat(lastError("x".repeat(8192))).hasSize(8192);
        }

        private String lastError(String reason) {
            ReservedJob<Refresh> refused = reserved();
            queue.requeue(refused, reason);
            ReservedJob<Refresh> failed = queue.reserve(TYPE, 1, LEASE).get(0);
            queue.fail(failed, reason);
            String stored = database.job(refused.id()).getLastError();
            ReservedJob<Refresh> again = reserved();
            queue.requeue(again, reason);
            assertThat(database.job(again.id()).getLastError()).isEqualTo(stored);
            assertThat(queue.reserve(TYPE, 1, LEASE)).hasSize(1);
            return stored;
        }
    }

    @Test
    void thousandsOfPayloadsAreCheckedBeforeTheFirstIsStored() {
        List<Refresh> payloads = IntStream.rangeClosed(0, 5000)
                .mapToObj(i -> Refresh.of(i == 5000 ? "" : "c" + i))
                .toList();
        Refusal.of(database, InvalidKey.class, q -> q.enqueueAll(TYPE, payloads), "index 5000");
    }

    private ReservedJob<Refresh> reserved() {
        queue.enqueue(TYPE, Refresh.of("c1", "p1"));
        return queue.reserve(TYPE, 1, LEASE).get(0);
    }

    private static void refused(ThrowingCallable definition, String... words) {
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(definition)
                .satisfies(e -> assertThat(e.getMessage()).contains(words));
    }
}
