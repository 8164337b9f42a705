package dev.tributary.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.support.Await;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

/** A worker's JVM is killed in the middle of its handlers, and another worker finishes the work. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledProcessTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    /**
     * What the other process runs: it says when eight handlers have begun, and they never end. It must not touch a field of
     * the test: that would start a server of its own in there, which nobody would stop.
     */
    public static final class Doomed {
        private static final Duration LEASE = Duration.ofSeconds(1);

        private Doomed() {}

        public static void main(String[] arguments) throws InterruptedException {
            PGSimpleDataSource dataSource = new PGSimpleDataSource();
            dataSource.setUrl(arguments[0]);
            CountDownLatch begun = new CountDownLatch(8);
            Worker.on(JobQueue.on(dataSource))
                    .handle(Refresh.TYPE, job -> {
                        begun.countDown();
                        new CountDownLatch(1).await();
                        return Outcome.done();
                    })
                    .lease(LEASE)
                    .build()
                    .start();
            begun.await();
            System.out.println("all have begun");
            new CountDownLatch(1).await();
        }
    }

    @Test
    void losesNothing() throws IOException {
        JobQueue queue = database.queue();
        queue.enqueueAll(
                Refresh.TYPE,
                IntStream.range(0, 20)
                        .mapToObj(i -> Refresh.of("c" + i, "p" + i))
                        .toList());
        Process doomed = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Doomed.class.getName(),
                        database.url())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said = doomed.inputReader()) {
            assertThat(said.readLine()).isEqualTo("all have begun");
            // Newer work of a key whose job runs in the process that dies.
            queue.enqueue(Refresh.TYPE, Refresh.of("c0", "newer"));
        } finally {
            doomed.destroyForcibly();
        }
        long killed = System.nanoTime();
        assertThat(database.jobs(JobStatus.RUNNING)).hasSize(8);

        Set<String> handled = ConcurrentHashMap.newKeySet();
        try (Worker worker = Worker.on(queue)
                .handle(Refresh.TYPE, job -> {
                    handled.addAll(job.payload().productIds());
                    return Outcome.done();
                })
                .rescueEvery(Duration.ofMillis(200))
                .build()) {
            worker.start();
            Await.until(() -> handled.size() >= 21, () -> "only these are handled: " + handled);
        }
        System.out.printf(
                "recovered %d ms after the kill, with a lease of %d ms and a rescue every 200 ms%n",
                (System.nanoTime() - killed) / 1_000_000, Doomed.LEASE.toMillis());
        assertThat(handled).contains("newer").hasSize(21);
    }
}
