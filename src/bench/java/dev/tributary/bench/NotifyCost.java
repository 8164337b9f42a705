package dev.tributary.bench;

import dev.tributary.JobQueue;
import dev.tributary.JobType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;

/** What it costs producers that their commits notify, with nobody listening: each enqueue inserts, none merges. */
final class NotifyCost {
    private record Item(int n) {}

    private static final JobType<Item> TYPE = JobType.named("ITEM", Item.class).build();
    private static final int JOBS = 5_000;
    private static final int ROUNDS = 5;

    private final Server server;

    NotifyCost(Server server) {
        this.server = server;
    }

    void run() throws Exception {
        System.out.println("Enqueues that insert, one a commit               notify      without    ratio");
        JobQueue notifying = JobQueue.on(server.pool());
        for (int producers : new int[] {1, 4, 16}) {
            Histogram with = new Histogram(3);
            Histogram without = new Histogram(3);
            for (int round = 0; round < ROUNDS; round++) {
                with.recordValue(perSecond(notifying, producers));
                without.recordValue(perSecond(notifying.withoutNotify(), producers));
            }
            long one = with.getValueAtPercentile(50);
            long other = without.getValueAtPercentile(50);
            System.out.printf(
                    "%2d producers                                 %,8d/s   %,8d/s     %.2f%n",
                    producers, one, other, (double) one / other);
        }
    }

    private long perSecond(JobQueue queue, int producers) throws Exception {
        server.empty();
        AtomicInteger next = new AtomicInteger();
        Callable<Void> producer = () -> {
            for (int i = next.getAndIncrement(); i < JOBS; i = next.getAndIncrement()) {
                queue.enqueue(TYPE, new Item(i));
            }
            return null;
        };
        ExecutorService threads = Executors.newFixedThreadPool(producers);
        try {
            long start = System.nanoTime();
            List<Future<Void>> all = new ArrayList<>();
            for (int i = 0; i < producers; i++) {
                all.add(threads.submit(producer));
            }
            for (Future<Void> one : all) {
                one.get();
            }
            return Math.round(JOBS / ((System.nanoTime() - start) / 1e9));
        } finally {
            threads.shutdown();
        }
    }
}
