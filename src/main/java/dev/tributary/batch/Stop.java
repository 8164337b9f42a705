package dev.tributary.batch;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Whether the daemon is to end; waits between batches and runs end with it. */
final class Stop {
    private final CountDownLatch set = new CountDownLatch(1);

    void set() {
        set.countDown();
    }

    boolean isSet() {
        return set.getCount() == 0;
    }

    /** False if it was set meanwhile. */
    boolean pause(Duration time) throws InterruptedException {
        return !set.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }
}
