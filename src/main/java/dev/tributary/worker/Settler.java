package dev.tributary.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The thread that settles what handlers have finished: all that waits at once, again and again while the database is away. */
final class Settler implements Runnable {
    private static final int AT_ONCE = 500;

    private final Settling settling;
    private final Events events;
    private final Held held;
    private final BlockingQueue<Settling.Handled> waiting = new LinkedBlockingQueue<>();

    Settler(Settling settling, Events events, Held held) {
        this.settling = settling;
        this.events = events;
        this.held = held;
    }

    void add(HeldJob<?> job, Outcome outcome) {
        waiting.add(new Settling.Handled(job, outcome));
    }

    /** Until it is interrupted. */
    @Override
    public void run() {
        try {
            while (true) {
                List<Settling.Handled> batch = new ArrayList<>();
                batch.add(waiting.take());
                waiting.drainTo(batch, AT_ONCE - 1);
                settle(batch);
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private void settle(List<Settling.Handled> batch) throws InterruptedException {
        List<Settling.Handled> left = new ArrayList<>(batch);
        Pause pause = new Pause(Duration.ofMillis(50), Duration.ofSeconds(5));
        while (!left.isEmpty()) {
            try {
                settling.settle(left, new Tally());
            } catch (Throwable failure) {
                events.trouble("settling", failure);
                if (!Settling.isOutage(failure)) {
                    break;
                }
                Thread.sleep(pause.next().toMillis());
            }
        }
        batch.forEach(handled -> held.release(handled.job()));
    }
}
