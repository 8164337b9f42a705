package dev.tributary;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import dev.tributary.support.Refusal;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arguments and keys that are refused before SQL. Payloads have a class of their own. */
class InvalidInputTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();

    @Nested
    class Keys {
        @Test
        void areNotNullOrEmpty() {
            refused(InvalidKey.class, q -> q.enqueue(TYPE, Refresh.of(null)), "PRICE_REFRESH", "returned null");
            refused(InvalidKey.class, q -> q.enqueue(TYPE, Refresh.of("")), "PRICE_REFRESH", "empty key");
        }

        @Test
        void haveAtMostOneThousandAndTwentyFourBytes() {
            assertThat(queue.enqueue(TYPE, Refresh.of("k".repeat(1024)))).isInstanceOf(Enqueued.Inserted.class);
            assertThat(queue.enqueue(TYPE, Refresh.of("ü".repeat(512)))).isInstanceOf(Enqueued.Inserted.class);
            assertThat(queue.enqueue(TYPE, Refresh.of("😀".repeat(256)))).isInstanceOf(Enqueued.Inserted.class);
            refused(InvalidKey.class, q -> q.enqueue(TYPE, Refresh.of("k".repeat(1025))), "1024 bytes", "1025", "kkkk");
            refused(InvalidKey.class, q -> q.enqueue(TYPE, Refresh.of("ü".repeat(513))), "1024 bytes", "1026");
            refused(
                    InvalidKey.class,
                    q -> q.enqueue(TYPE, Refresh.of("k" + "😀".repeat(256))),
                    "1024 bytes",
                    "1025",
                    "\"k" + "😀".repeat(39) + "…\"");
        }

        /** A page of an index cannot hold what does not compress: repeated characters would prove nothing. */
        @Test
        void ofTheFullLengthFitIntoTheIndex() {
            byte[] random = new byte[512];
            new Random(1).nextBytes(random);
            String key = HexFormat.of().formatHex(random);
            long id = queue.enqueue(TYPE, Refresh.of(key, "p1")).jobId();
            assertThat(queue.enqueue(TYPE, Refresh.of(key, "p2"))).isEqualTo(new Enqueued.Merged(id));
            assertThat(database.job(id).getMergeKey()).isEqualTo(key);
        }

        @Test
        void holdNoCharacterThatCannotBeStored() {
            refused(InvalidKey.class, q -> q.enqueue(TYPE, Refresh.of("a\u0000b")), "U+0000 at character 1");
            refused(InvalidKey.class, q -> q.enqueue(TYPE, Refresh.of("ab\uD83D")), "U+D83D", "character 2");
            refused(InvalidKey.class, q -> q.enqueue(TYPE, Refresh.of("\uDE00ab")), "U+DE00", "character 0");
        }

        @Test
        void ofABatchAreRefusedWithTheirPlace() {
            refused(
                    InvalidKey.class,
                    q -> q.enqueueAll(TYPE, List.of(Refresh.of("c1"), Refresh.of("c2"), Refresh.of(""))),
                    "index 2");
        }

        @ParameterizedTest
        @ValueSource(strings = {" ", "\t", "'", "\\", "NULL", "null", "{}", "?", ":x", "${x}", "%", "😀", "\uFFFF"})
        void ofOtherCharactersAreTakenAsTheyAre(String key) {
            long id = queue.enqueue(TYPE, Refresh.of(key, "p1")).jobId();
            assertThat(queue.enqueueAll(TYPE, List.of(Refresh.of(key, "p2")))).containsExactly(new Enqueued.Merged(id));
            assertThat(queue.reserve(TYPE, 1, LEASE).get(0).mergeKey()).contains(key);
        }

        @Test
        void thatTheFunctionCannotMakeAreRefusedWithTheirCause() {
            JobType<Refresh> type = JobType.named("PRICE_REFRESH", Refresh.class)
                    .onePendingPer(payload -> payload.catalogId().strip())
                    .merging(Merge.latest())
                    .build();
            refused(
                    InvalidKey.class,
                    q -> q.enqueue(type, Refresh.of(null)),
                    "PRICE_REFRESH payload: the key function");
            List<Refresh> payloads = List.of(Refresh.of("c1"), Refresh.of(null));
            refused(InvalidKey.class, q -> q.enqueueAll(type, payloads), "payload at index 1: the key function");
            assertThatExceptionOfType(InvalidKey.class)
                    .isThrownBy(() -> queue.enqueueAll(type, payloads))
                    .withCauseInstanceOf(NullPointerException.class);
        }
    }

    @Test
    void answersOfARescueAreNotNull() {
        refusedArgument(q -> new Rescued(null), "the answers are null");
        refusedArgument(q -> new Rescued(Arrays.asList(new Requeued.Returned(1), null)), "an answer is null");
    }

    @Test
    void nullIsRefusedByNameWhereverItIsGiven() {
        refusedArgument(q -> q.enqueue(null, Refresh.of("c1")), "the job type is null");
        refusedArgument(q -> q.enqueue(TYPE, Refresh.of("c1"), null), "the options are null");
        refusedArgument(q -> q.enqueueAll(null, List.of(Refresh.of("c1"))), "the job type is null");
        refusedArgument(q -> q.enqueueAll(TYPE, null), "the payloads are null");
        refusedArgument(q -> q.reserve(null, 1, LEASE), "the job type is null");
        refusedArgument(q -> q.reserve(TYPE, 1, null), "the lease is null");
        refusedArgument(q -> q.rescue(null, 1), "the job type is null");
        refusedArgument(q -> q.retry(null, 1), "the job type is null");
        refusedArgument(q -> q.complete(null), "the reserved job is null");
        refusedArgument(q -> q.complete(null, "result"), "the reserved job is null");
        refusedArgument(q -> q.requeue(null, "why"), "the reserved job is null");
        refusedArgument(q -> q.requeue(null, "why", Duration.ZERO), "the reserved job is null");
        refusedArgument(q -> q.fail(null, "why"), "the reserved job is null");
        refusedArgument(q -> q.renew(null, LEASE), "the reserved job is null");
        refusedArgument(q -> q.within((java.sql.Connection) null), "the connection is null");
        refusedArgument(q -> q.within((org.jooq.DSLContext) null), "the DSLContext is null");
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(() -> JobQueue.on(null))
                .withMessage("the DataSource is null");
    }

    @Test
    void nullIsRefusedByNameWhereManyAreGivenAtOnce() {
        ReservedJob<Refresh> job = reserved();
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(() -> Reservations.of(null))
                .withMessage("the queue is null");
        refusedOfMany(r -> r.complete(null), "the done jobs are null");
        refusedOfMany(r -> r.complete(Arrays.asList(new Reservations.Done(job, null), null)), "a done job is null");
        refusedOfMany(r -> r.complete(List.of(new Reservations.Done(null, "result"))), "the reserved job is null");
        refusedOfMany(r -> r.renew(null, LEASE), "the reserved jobs are null");
        refusedOfMany(r -> r.renew(Arrays.asList(job, null), LEASE), "a reserved job is null");
        refusedOfMany(r -> r.renew(List.of(job), null), "the lease is null");
        refusedOfMany(r -> r.reserveOverdue(null, LEASE, LEASE), "the job type is null");
        refusedOfMany(r -> r.reserveOverdue(TYPE, null, LEASE), "overdue is null");
        refusedOfMany(r -> r.reserveOverdue(TYPE, LEASE, null), "the lease is null");
        refusedOfMany(r -> r.giveBack(null, "why", Duration.ZERO), "the reserved job is null");
        assertThat(database.job(job.id()).getStatus()).isEqualTo(JobStatus.RUNNING);
    }

    @Test
    void nullPayloadsAreRefusedWithTheirPlace() {
        refused(InvalidPayload.class, q -> q.enqueue(TYPE, null), "PRICE_REFRESH payload is null");
        refused(
                InvalidPayload.class,
                q -> q.enqueueAll(TYPE, Arrays.asList(Refresh.of("c1"), null)),
                "PRICE_REFRESH payload at index 1 is null");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void limitsAreAtLeastOne(int limit) {
        refusedArgument(q -> q.reserve(TYPE, limit, LEASE), "the limit is " + limit, "at least 1");
        refusedArgument(q -> q.rescue(TYPE, limit), "the limit is " + limit, "at least 1");
    }

    static Stream<Duration> durationsOutOfRange() {
        return Stream.of(
                Duration.ofNanos(-1),
                Duration.ofSeconds(Long.MIN_VALUE),
                Duration.ofSeconds(Long.MAX_VALUE, 999_999_999),
                Duration.ofDays(36_500).plusNanos(1));
    }

    @ParameterizedTest
    @MethodSource("durationsOutOfRange")
    void durationsAreFromZeroToACentury(Duration duration) {
        ReservedJob<Refresh> job = reserved();
        refusedArgument(
                q -> q.reserve(TYPE, 1, duration), "the lease is " + duration, "positive and at most 36500 days");
        refusedArgument(q -> q.renew(job, duration), "the lease is " + duration);
        refusedArgument(q -> q.requeue(job, "why", duration), "the delay is " + duration, "from zero to 36500 days");
        refusedArgument(q -> EnqueueOptions.delayedBy(duration), "the delay is " + duration);
        refusedArgument(q -> new EnqueueOptions(duration, 0), "the delay is " + duration);
        refusedArgument(q -> Backoff.fixed(duration), "the backoff is " + duration);
        refusedArgument(q -> Backoff.exponential(duration, LEASE), "the first backoff is " + duration);
        refusedArgument(q -> Backoff.exponential(LEASE, duration), "the longest backoff is " + duration);
    }

    @Test
    void leasesAreNotZero() {
        ReservedJob<Refresh> job = reserved();
        refusedArgument(q -> q.reserve(TYPE, 1, Duration.ZERO), "the lease is zero", "positive");
        refusedArgument(q -> q.renew(job, Duration.ZERO), "the lease is zero", "positive");
        refusedArgument(q -> Backoff.exponential(Duration.ZERO, LEASE), "the first backoff is zero");
    }

    @Test
    void delaysAndOptionsAreNotNull() {
        ReservedJob<Refresh> job = reserved();
        refusedArgument(q -> q.requeue(job, "why", null), "the delay is null");
        refusedArgument(q -> q.renew(job, null), "the lease is null");
        refusedArgument(q -> EnqueueOptions.delayedBy(null), "the delay is null");
        refusedArgument(q -> Backoff.fixed(null), "the backoff is null");
        refusedArgument(q -> Backoff.exponential(null, LEASE), "the first backoff is null");
        refusedArgument(q -> Backoff.exponential(LEASE, null), "the longest backoff is null");
    }

    @Test
    void theLongestDurationsAreTaken() {
        Duration century = Duration.ofDays(36_500);
        queue.enqueue(TYPE, Refresh.of("c1"), EnqueueOptions.delayedBy(century));
        assertThat(queue.reserve(TYPE, 1, LEASE)).isEmpty();
        queue.enqueue(TYPE, Refresh.of("c2"));
        ReservedJob<Refresh> job = queue.reserve(TYPE, 1, century).get(0);
        assertThat(Duration.between(java.time.Instant.now(), job.leaseUntil())).isGreaterThan(Duration.ofDays(36_499));
        assertThat(queue.requeue(job, "why", century)).isEqualTo(new Requeued.Returned(job.id()));
    }

    private ReservedJob<Refresh> reserved() {
        queue.enqueue(TYPE, Refresh.of("c1", "p1"));
        return queue.reserve(TYPE, 1, LEASE).get(0);
    }

    private static void refusedOfMany(Function<Reservations, ?> verb, String... words) {
        refusedArgument(q -> verb.apply(Reservations.of(q)), words);
    }

    private static void refusedArgument(Function<JobQueue, ?> verb, String... words) {
        refused(InvalidArgument.class, verb, words);
    }

    private static void refused(
            Class<? extends TributaryException> refusal, Function<JobQueue, ?> verb, String... words) {
        Refusal.of(database, refusal, verb, words);
    }
}
