package dev.tributary.bench;

import dev.tributary.JobQueue;
import dev.tributary.JobType;
import dev.tributary.Merge;
import dev.tributary.worker.Outcome;
import dev.tributary.worker.Worker;
import dev.tributary.worker.WorkerListener;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * Waiting jobs that do nothing, reserved, decoded and completed: by a worker and, in turns in the same process, by JDBC
 * written by hand. The rounds alternate, so that neither has the warmer machine.
 */
final class Drain {
    record Item(String catalogId, List<String> productIds) {}

    static final String TYPE_NAME = "NO_OP";
    static final int JOBS = 50_000;
    private static final int ROUNDS = 5;
    private static final JobType<Item> TYPE = JobType.named(TYPE_NAME, Item.class)
            .onePendingPer(Item::catalogId)
            .merging(Merge.union("productIds"))
            .build();

    private interface Contestant {
        void drain() throws Exception;
    }

    private final Server server;
    private final JobQueue queue;
    private final Histogram byHand = new Histogram(3);
    private final Histogram byWorker = new Histogram(3);
    private final Histogram byThreads = new Histogram(3);

    Drain(Server server) {
        this.server = server;
        this.queue = JobQueue.on(server.pool());
    }

    void run() throws Exception {
        System.out.println("Drain of " + JOBS + " waiting jobs that do nothing    jobs/s   peak heap");
        for (int round = 1; round <= ROUNDS; round++) {
            byHand.recordValue(measure("JDBC by hand", round, () -> new HandWritten(server.pool()).drain(JOBS)));
            byWorker.recordValue(measure("worker, executor(Runnable::run)", round, () -> work(Runnable::run)));
            byThreads.recordValue(measure("worker, executor of two threads", round, this::workWithTwoThreads));
        }
        System.out.printf(
                "median: by hand %,d jobs/s, worker %.2f of that, with two threads %.2f%n",
                byHand.getValueAtPercentile(50), toByHand(byWorker), toByHand(byThreads));
    }

    private double toByHand(Histogram other) {
        return (double) other.getValueAtPercentile(50) / byHand.getValueAtPercentile(50);
    }

    private long measure(String who, int round, Contestant contestant) throws Exception {
        fill();
        System.gc();
        List<MemoryPoolMXBean> heap = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .toList();
        heap.forEach(MemoryPoolMXBean::resetPeakUsage);
        long start = System.nanoTime();
        contestant.drain();
        long perSecond = Math.round(JOBS / ((System.nanoTime() - start) / 1e9));
        long peak =
                heap.stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
        System.out.printf("  round %d, %-33s %,10d %,8d MB%n", round, who, perSecond, peak >> 20);
        return perSecond;
    }

    private void fill() throws Exception {
        server.empty();
        for (int from = 0; from < JOBS; from += 10_000) {
            queue.enqueueAll(
                    TYPE,
                    IntStream.range(from, from + 10_000)
                            .mapToObj(i -> new Item("c" + i, List.of("p" + i, "q" + i)))
                            .toList());
        }
        server.settle();
    }

    private void workWithTwoThreads() throws InterruptedException {
        ExecutorService two = Executors.newFixedThreadPool(2);
        try {
            work(two);
        } finally {
            two.shutdown();
        }
    }

    private void work(Executor executor) throws InterruptedException {
        CountDownLatch left = new CountDownLatch(JOBS);
        WorkerListener countDown = new WorkerListener() {
            @Override
            public void ended(Ended event) {
                left.countDown();
            }
        };
        try (Worker worker = Worker.on(queue)
                .handle(TYPE, job -> Outcome.done())
                .concurrency(1_000)
                .executor(executor)
                .pollEvery(Duration.ofMillis(100))
                .listener(countDown)
                .build()) {
            worker.start();
            left.await();
        }
    }
}
