package dev.tributary.worker;

import static dev.tributary.support.Refresh.TYPE;
import static dev.tributary.support.Refresh.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.Backoff;
import dev.tributary.InvalidArgument;
import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.JobType;
import dev.tributary.Merge;
import dev.tributary.Requeued;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One round of a worker, without threads. */
class RoundTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();

    @Test
    void completesWithTheResult() {
        long id = queue.enqueue(TYPE, Refresh.of("c1", "p1")).jobId();
        Worker worker = worker(
                job -> Outcome.done(Map.of("prices", job.payload().productIds().size())));
        assertThat(worker.runOnce()).isEqualTo(new Round(0, 1, 1, 0, 0, 0));
        assertThat(database.job(id).getStatus()).isEqualTo(JobStatus.COMPLETED);
        assertThat(database.job(id).getResult().data()).isEqualTo("{\"prices\": 1}");
        assertThat(worker.runOnce()).isEqualTo(new Round(0, 0, 0, 0, 0, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"product in flight", "full refresh in flight", "queue full", "runner stopped"})
    void putsARefusedJobBack(String refusal) {
        long id = queue.enqueue(TYPE, Refresh.of("c1", "p1")).jobId();
        assertThat(worker(job -> Outcome.refused(refusal)).runOnce()).isEqualTo(new Round(0, 1, 0, 1, 0, 0));
        assertThat(database.job(id).getStatus()).isEqualTo(JobStatus.PENDING);
        assertThat(database.job(id).getLastError()).isEqualTo(refusal);
    }

    @Test
    void mergesARefusedJobIntoANewerOne() {
        queue.enqueue(TYPE, Refresh.of("c1", "p1"));
        Worker worker = worker(job -> {
            queue.enqueue(TYPE, Refresh.of("c1", "p2"));
            return Outcome.refused("queue full", Duration.ofHours(1));
        });
        assertThat(worker.runOnce()).isEqualTo(new Round(0, 1, 0, 1, 0, 0));
        assertThat(database.jobs(JobStatus.PENDING))
                .extracting(job -> ids(job.getConfig().data()))
                .containsExactly(List.of("p1", "p2"));
        assertThat(worker.runOnce().reserved()).isZero();
    }

    @Test
    void failsAtTheLimitWithTheIdsReadableAndRetryBringsThemBack() {
        JobType<Refresh> twice = JobType.named("TWICE", Refresh.class)
                .onePendingPer(Refresh::catalogId)
                .merging(Merge.union("productIds"))
                .maxAttempts(2)
                .backoff(Backoff.none())
                .build();
        long id = queue.enqueue(twice, Refresh.of("c1", "p1")).jobId();
        Worker worker = Worker.on(queue)
                .handle(twice, job -> Outcome.refused("queue full"))
                .build();
        assertThat(worker.runOnce()).isEqualTo(new Round(0, 1, 0, 1, 0, 0));
        assertThat(worker.runOnce()).isEqualTo(new Round(0, 1, 0, 0, 1, 0));
        assertThat(database.job(id).getStatus()).isEqualTo(JobStatus.FAILED);
        assertThat(ids(database.job(id).getConfig().data())).containsExactly("p1");
        assertThat(queue.retry(twice, id)).contains(new Requeued.Returned(id));
        assertThat(worker.runOnce().reserved()).isEqualTo(1);
    }

    @Test
    void failsAtOnce() {
        long id = queue.enqueue(TYPE, Refresh.of("c1", "p1")).jobId();
        assertThat(worker(job -> Outcome.failed("no such catalogue")).runOnce()).isEqualTo(new Round(0, 1, 0, 0, 1, 0));
        assertThat(database.job(id).getLastError()).isEqualTo("no such catalogue");
    }

    static Stream<Throwable> throwables() {
        return Stream.of(
                new IllegalStateException("out of stock"),
                new java.io.IOException("checked"),
                new OutOfMemoryError("for this one"),
                new StackOverflowError("deep"),
                new NoClassDefFoundError("Pricing"),
                new AssertionError("wrong"));
    }

    @ParameterizedTest
    @MethodSource("throwables")
    void countsWhatAHandlerThrowsAsRefused(Throwable thrown) {
        long id = queue.enqueue(TYPE, Refresh.of("c1", "p1")).jobId();
        assertThat(worker(job -> {
                            throw sneaky(thrown);
                        })
                        .runOnce())
                .isEqualTo(new Round(0, 1, 0, 1, 0, 0));
        assertThat(database.job(id).getLastError()).isEqualTo(thrown.toString());
    }

    @Test
    void storesATextThatPostgresWouldNot() {
        long id = queue.enqueue(TYPE, Refresh.of("c1", "p1")).jobId();
        worker(job -> {
                    throw new IllegalStateException("\u0000\uD800" + "x".repeat(100_000));
                })
                .runOnce();
        assertThat(database.job(id).getLastError()).contains("\uFFFD\uFFFDxxx").hasSizeLessThan(8_193);
    }

    @Test
    void refusesAnUndecodablePayloadAloneAndRunsItsNeighbours() {
        record Evolved(String catalogId, int productIds) {}
        JobType<Refresh> old = JobType.named("EVOLVED", Refresh.class).build();
        JobType<Evolved> current = JobType.named("EVOLVED", Evolved.class).build();
        queue.enqueue(old, Refresh.of("c1", "p1"));
        queue.enqueue(current, new Evolved("c2", 7));
        List<Evolved> handled = new ArrayList<>();
        Worker worker = Worker.on(queue)
                .handle(current, job -> {
                    handled.add(job.payload());
                    return Outcome.done();
                })
                .build();
        assertThat(worker.runOnce()).isEqualTo(new Round(0, 2, 1, 1, 0, 0));
        assertThat(handled).containsExactly(new Evolved("c2", 7));
    }

    @Test
    void refusesAResultThatCannotBeStoredAndANullOutcome() {
        queue.enqueueAll(TYPE, List.of(Refresh.of("c1", "p1"), Refresh.of("c2", "p1")));
        Worker worker =
                worker(job -> job.payload().catalogId().equals("c1") ? Outcome.done(Map.of("text", "\u0000")) : null);
        assertThat(worker.runOnce()).isEqualTo(new Round(0, 2, 0, 2, 0, 0));
        assertThat(database.jobs())
                .extracting(job -> job.getLastError())
                .anyMatch(error -> error.contains("U+0000"))
                .anyMatch(error -> error.contains("null"));
    }

    @Test
    void rescuesWhatOthersDropped() {
        queue.enqueue(TYPE, Refresh.of("c1", "p1"));
        queue.reserve(TYPE, 1, Refresh.LEASE);
        database.expireLeases();
        assertThat(worker(job -> Outcome.done()).runOnce()).isEqualTo(new Round(1, 1, 1, 0, 0, 0));
    }

    @Test
    void settlesNothingOnceTheLeaseIsLost() {
        queue.enqueue(TYPE, Refresh.of("c1", "p1"));
        Worker worker = worker(job -> {
            database.expireLeases();
            queue.rescue(TYPE, 1);
            return Outcome.done();
        });
        assertThat(worker.runOnce()).isEqualTo(new Round(0, 1, 0, 0, 0, 1));
        assertThat(database.jobs(JobStatus.PENDING)).hasSize(1);
    }

    @Test
    void givesEachTypeItsTurn() {
        JobType<Refresh> other = JobType.named("OTHER", Refresh.class).build();
        for (int i = 0; i < 4; i++) {
            queue.enqueue(TYPE, Refresh.of("c" + i));
            queue.enqueue(other, Refresh.of("c" + i));
        }
        List<String> types = new ArrayList<>();
        Worker worker = Worker.on(queue)
                .handle(TYPE, job -> note(types, "one"))
                .handle(other, job -> note(types, "other"))
                .concurrency(2)
                .build();
        worker.runOnce();
        worker.runOnce();
        assertThat(types).containsExactly("one", "one", "other", "other");
    }

    @Test
    void refusesToBeBuiltWrong() {
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(() -> Worker.on(queue).build());
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(() ->
                        Worker.on(queue).handle(TYPE, job -> Outcome.done()).handle(TYPE, job -> Outcome.done()));
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(() -> Worker.on(queue).concurrency(0));
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(() -> Worker.on(queue).lease(Duration.ZERO));
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(() -> Outcome.refused("no", Duration.ofSeconds(-1)))
                .withMessageContaining("retryIn");
    }

    private Worker worker(JobHandler<Refresh> handler) {
        return Worker.on(queue).handle(TYPE, handler).build();
    }

    private static Outcome note(List<String> types, String type) {
        types.add(type);
        return Outcome.done();
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> RuntimeException sneaky(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
