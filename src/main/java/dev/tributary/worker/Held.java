package dev.tributary.worker;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The jobs in the hands of a worker, by token: a row may be held twice, by a stale reservation and by a new one. */
final class Held {
    private final int concurrency;
    private int claimed;
    private final Map<UUID, HeldJob<?>> jobs = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean woken;

    Held(int concurrency) {
        this.concurrency = concurrency;
    }

    /** Takes free slots, at most so many, for jobs that are about to be reserved. */
    synchronized int claim(int most) {
        int slots = Math.max(0, Math.min(most, concurrency - jobs.size() - claimed));
        claimed += slots;
        return slots;
    }

    /** These came of it. */
    synchronized void add(List<HeldJob<?>> reserved, int slots) {
        reserved.forEach(job -> jobs.put(job.lockToken(), job));
        claimed -= slots;
    }

    /** It is settled, or nobody's care any more. */
    void release(HeldJob<?> job) {
        boolean wasFull = jobs.size() >= concurrency;
        jobs.remove(job.lockToken());
        if (wasFull || jobs.isEmpty()) {
            wake();
        }
    }

    List<HeldJob<?>> jobs() {
        return List.copyOf(jobs.values());
    }

    /** Ends the wait that is going on, or the next one. */
    void wake() {
        lock.lock();
        try {
            woken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until it is woken, but no longer than so long. */
    void await(Duration longest) throws InterruptedException {
        lock.lock();
        try {
            long nanos = longest.toNanos();
            while (!woken && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            woken = false;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until nothing is held, up to a {@link System#nanoTime}; false if that took too long. */
    boolean awaitNone(long nanos) throws InterruptedException {
        while (!jobs.isEmpty()) {
            long left = nanos - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            await(Duration.ofNanos(Math.min(left, TimeUnit.SECONDS.toNanos(1))));
        }
        return true;
    }
}
