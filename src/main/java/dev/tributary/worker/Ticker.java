package dev.tributary.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Does something again and again, with a pause before each time, a shorter one after a failure, until it is ended. */
final class Ticker implements Runnable {
    private final String doing;
    private final Duration pause;
    private final Runnable task;
    private final Events events;
    private final CountDownLatch ended = new CountDownLatch(1);

    Ticker(String doing, Duration pause, Runnable task, Events events) {
        this.doing = doing;
        this.pause = pause;
        this.task = task;
        this.events = events;
    }

    @Override
    public void run() {
        Duration next = pause;
        while (ended.getCount() > 0) {
            try {
                if (!ended.await(next.toNanos(), TimeUnit.NANOSECONDS)) {
                    next = pause.dividedBy(4);
                    task.run();
                    next = pause;
                }
            } catch (InterruptedException nobodysBusiness) {
                // Only end() ends it.
            } catch (Throwable failure) {
                events.trouble(doing, failure);
            }
        }
    }

    void end() {
        ended.countDown();
    }
}
