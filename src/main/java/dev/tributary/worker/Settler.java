package dev.tributary.worker;

import dev.tributary.internal.Chance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import org.jooq.exception.DataAccessException;

/** Settles what handlers have finished, on a thread of its own: all that waits at once; what cannot be settled now, later. */
final class Settler implements Runnable {
    private static final int AT_ONCE = 500;
    private static final long FIRST_PAUSE = Duration.ofMillis(25).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofSeconds(5).toNanos();

    /** Tries of a job beside which others are settled; about half a minute in all. Then its lease is left to expire. */
    private static final int TRIES = 12;

    private final Settling settling;
    private final Events events;
    private final Held held;
    private final DelayQueue<Waiting> waiting = new DelayQueue<>();
    private volatile boolean ended;

    Settler(Settling settling, Events events, Held held) {
        this.settling = settling;
        this.events = events;
        this.held = held;
    }

    void add(Settling.Handled handled) {
        waiting.add(Waiting.now(handled));
    }

    @Override
    public void run() {
        while (!ended) {
            List<Waiting> batch = new ArrayList<>();
            try {
                batch.add(waiting.take());
                waiting.drainTo(batch, AT_ONCE - 1);
                settle(batch);
            } catch (InterruptedException nobodysBusiness) {
                // Only end() ends it.
            } catch (Throwable failure) {
                events.trouble("settling, the leases will expire", failure);
                batch.forEach(one -> held.release(one.handled().job()));
            }
        }
    }

    private void settle(List<Waiting> batch) {
        Map<HeldJob<?>, DataAccessException> left =
                settling.settle(batch.stream().map(Waiting::handled).toList(), new Tally());
        left.values().stream().limit(1).forEach(failure -> events.trouble("settling", failure));
        for (Waiting one : batch) {
            HeldJob<?> job = one.handled().job();
            DataAccessException failure = left.get(job);
            if (failure != null && (one.tries() < TRIES || Chance.after(failure) == Chance.OUTAGE)) {
                waiting.add(one.later());
            } else {
                held.release(job);
            }
        }
    }

    /** What waits for its next try is not settled any more. */
    void end() {
        ended = true;
    }

    private record Waiting(Settling.Handled handled, int tries, long nanos) implements Delayed {
        static Waiting now(Settling.Handled handled) {
            return new Waiting(handled, 1, System.nanoTime());
        }

        Waiting later() {
            long pause = Math.min(FIRST_PAUSE << Math.min(tries, 20), LONGEST_PAUSE);
            return new Waiting(handled, tries + 1, System.nanoTime() + pause);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(nanos - ((Waiting) other).nanos, 0);
        }
    }
}
