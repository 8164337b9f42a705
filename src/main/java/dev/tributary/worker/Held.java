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
    private final Map<UUID, HeldJob<?>> jobs = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean woken;

    Held(int concurrency) {
        this.concurrency = concurrency;
    }

    void add(HeldJob<?> job) {
        jobs.put(job.lockToken(), job);
    }

    /** It is settled, or nobody's care any more. */
    void release(HeldJob<?> job) {
        boolean wasFull = free() <= 0;
        jobs.remove(job.lockToken());
        if (wasFull || jobs.isEmpty()) {
            wake();
        }
    }

    int free() {
        return concurrency - jobs.size();
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

    /** Waits until nothing is held; false if that took too long. */
    boolean awaitNone(Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        while (!jobs.isEmpty()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            await(Duration.ofNanos(Math.min(left, TimeUnit.SECONDS.toNanos(1))));
        }
        return true;
    }
}
