package dev.tributary.worker;

import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.Backoff;
import dev.tributary.InvalidArgument;
import dev.tributary.JobQueue;
import dev.tributary.JobType;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import dev.tributary.support.Session;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a worker is built from: refused by name if it is no use, and a worker's for good once it is built. */
class WorkerSettingsTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();
    private final Worker.Builder builder = Worker.on(queue).handle(TYPE, job -> Outcome.done());

    @Test
    void areThoseOfTheMomentAtWhichItWasBuilt() {
        JobType<Refresh> other = Refresh.type("OTHER", Backoff.none());
        queue.enqueueAll(TYPE, List.of(Refresh.of("c1", "1"), Refresh.of("c2", "1")));
        queue.enqueueAll(other, List.of(Refresh.of("c1", "1")));
        Worker one = builder.concurrency(1).build();
        Ends ends = new Ends();
        Worker many = builder.concurrency(5)
                .handle(other, job -> Outcome.done())
                .listener(ends)
                .build();
        assertThat(one.runOnce()).isEqualTo(new Round(0, 1, 1, 0, 0, 0));
        assertThat(ends.settled()).isEmpty();
        assertThat(many.runOnce()).isEqualTo(new Round(0, 2, 2, 0, 0, 0));
    }

    @Test
    void doNotTakeAQueueWithinACallersTransaction() {
        try (Session session = database.session()) {
            assertRefused("transactions of its own", () -> Worker.on(queue.within(session.connection())));
        }
        assertRefused("the queue is null", () -> Worker.on(null));
    }

    static Stream<Duration> badDurations() {
        return Stream.of(null, Duration.ofNanos(-1), Duration.ofDays(36_501), Duration.ofSeconds(Long.MAX_VALUE));
    }

    @ParameterizedTest
    @MethodSource("badDurations")
    void areRefusedByNameIfADurationIsOutOfRange(Duration bad) {
        assertRefused("the lease is", () -> builder.lease(bad));
        assertRefused("pollEvery is", () -> builder.pollEvery(bad));
        assertRefused("rescueEvery is", () -> builder.rescueEvery(bad));
        assertRefused("closeWithin is", () -> builder.closeWithin(bad));
        assertRefused("retryIn is", () -> Outcome.refused("busy", bad));
    }

    @Test
    void areRefusedByNameIfNullOrZero() {
        assertRefused("pollEvery is zero", () -> builder.pollEvery(Duration.ZERO));
        assertRefused("rescueEvery is zero", () -> builder.rescueEvery(Duration.ZERO));
        assertRefused("the concurrency is 0", () -> builder.concurrency(0));
        assertRefused("the executor is null", () -> builder.executor(null));
        assertRefused("the listener is null", () -> builder.listener(null));
        assertRefused("the job type is null", () -> builder.handle(null, job -> Outcome.done()));
        assertRefused("the handler is null", () -> builder.handle(Refresh.type("OTHER", Backoff.none()), null));
        assertRefused("has a handler already", () -> builder.handle(TYPE, job -> Outcome.done()));
        assertRefused("needs a handler", () -> Worker.on(queue).build());
    }

    private static void assertRefused(String words, ThrowingCallable call) {
        assertThatExceptionOfType(InvalidArgument.class).isThrownBy(call).withMessageContaining(words);
    }
}
