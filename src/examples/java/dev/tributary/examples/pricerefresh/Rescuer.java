package dev.tributary.examples.pricerefresh;

import dev.tributary.JobQueue;
import dev.tributary.Requeued;

/** Puts back the jobs of workers that did not settle them in time. */
final class Rescuer {
    private static final int LIMIT = 100;

    private final JobQueue queue;
    private final Books books;

    Rescuer(JobQueue queue, Books books) {
        this.queue = queue;
        this.books = books;
    }

    void round() {
        long before = books.ledger().now();
        for (Requeued answer : queue.rescue(Refresh.PRICE_REFRESH, LIMIT).jobs()) {
            books.tally().count(Count.RESCUED);
            books.putBack(answer, before);
        }
    }
}
