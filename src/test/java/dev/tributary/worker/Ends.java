package dev.tributary.worker;

import dev.tributary.Settled;
import java.util.ArrayList;
import java.util.List;

/** Counts jobs that ended, for tests that wait for them. */
class Ends implements WorkerListener {
    private final List<Settled> settled = new ArrayList<>();

    @Override
    public synchronized void ended(Ended event) {
        settled.add(event.settled());
        notifyAll();
    }

    synchronized void await(int count) {
        try {
            while (settled.size() < count) {
                wait();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    synchronized List<Settled> settled() {
        return List.copyOf(settled);
    }
}
