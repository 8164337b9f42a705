package dev.tributary.bench;

import dev.tributary.JobQueue;
import dev.tributary.JobType;
import dev.tributary.Merge;
import dev.tributary.worker.Outcome;
import dev.tributary.worker.Worker;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;

/**
 * The time from a commit to the start of the handler on an idle system: one job at a time, each after a pause in which the
 * worker had nothing to do. The time begins just before the commit is sent, so it holds the commit's own flush.
 */
final class Latency {
    private record Ping(int n) {}

    private static final JobType<Ping> TYPE = JobType.named("PING", Ping.class)
            .onePendingPer(ping -> "k")
            .merging(Merge.latest())
            .build();
    private static final int WARM_UP = 300;

    private final Server server;
    private final JobQueue queue;

    Latency(Server server) {
        this.server = server;
        this.queue = JobQueue.on(server.pool());
    }

    void run() throws Exception {
        System.out.println("Latency from commit to handler start, idle system   median      p99      max");
        measure("polling, as it is by default (10 ms to 1 s)", 40, 1_500, worker -> worker);
        measure("polling, pollEvery(10 ms)", 400, 50, worker -> worker.pollEvery(Duration.ofMillis(10)));
        measure("listen()", 400, 50, Worker.Builder::listen);
    }

    private void measure(String what, int jobs, int idleMillis, UnaryOperator<Worker.Builder> settings)
            throws Exception {
        server.empty();
        SynchronousQueue<Long> starts = new SynchronousQueue<>();
        Histogram micros = new Histogram(3);
        Worker.Builder builder = Worker.on(queue).handle(TYPE, job -> {
            starts.put(System.nanoTime());
            return Outcome.done();
        });
        try (Worker worker = settings.apply(builder).build();
                Connection tx = server.pool().getConnection()) {
            worker.start();
            tx.setAutoCommit(false);
            for (int i = -WARM_UP; i < jobs; i++) {
                Thread.sleep(i < 0 ? 20 : ThreadLocalRandom.current().nextInt(idleMillis, 2 * idleMillis));
                queue.within(tx).enqueue(TYPE, new Ping(i));
                long commit = System.nanoTime();
                tx.commit();
                long nanos = starts.take() - commit;
                if (i >= 0) {
                    micros.recordValue(nanos / 1_000);
                }
            }
        }
        System.out.printf(
                "%-50s %8.2f %8.2f %8.2f ms   (%d jobs)%n",
                what,
                micros.getValueAtPercentile(50) / 1e3,
                micros.getValueAtPercentile(99) / 1e3,
                micros.getMaxValue() / 1e3,
                jobs);
    }
}
