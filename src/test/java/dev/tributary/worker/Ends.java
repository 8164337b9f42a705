package dev.tributary.worker;

import dev.tributary.Requeued;
import dev.tributary.ReservedJob;
import dev.tributary.Settled;
import java.util.ArrayList;
import java.util.List;

/** Keeps what becomes of jobs, for tests that wait for it. */
class Ends implements WorkerListener {
    private final List<Settled> settled = new ArrayList<>();
    private final List<Requeued> putBack = new ArrayList<>();
    private final List<ReservedJob<?>> lost = new ArrayList<>();
    private final List<Trouble> troubles = new ArrayList<>();

    @Override
    public void ended(Ended event) {
        add(settled, event.settled());
    }

    @Override
    public void putBack(PutBack event) {
        add(putBack, event.requeued());
    }

    @Override
    public void leaseLost(LeaseLost event) {
        add(lost, event.job());
    }

    @Override
    public void trouble(Trouble event) {
        add(troubles, event);
    }

    void await(int count) {
        await(settled, count);
    }

    void awaitPutBack(int count) {
        await(putBack, count);
    }

    void awaitLost(int count) {
        await(lost, count);
    }

    void awaitTrouble() {
        await(troubles, 1);
    }

    List<Settled> settled() {
        return copy(settled);
    }

    List<ReservedJob<?>> lost() {
        return copy(lost);
    }

    List<Trouble> troubles() {
        return copy(troubles);
    }

    private synchronized <T> void add(List<T> to, T event) {
        to.add(event);
        notifyAll();
    }

    private synchronized <T> List<T> copy(List<T> of) {
        return List.copyOf(of);
    }

    private synchronized void await(List<?> events, int count) {
        try {
            while (events.size() < count) {
                wait();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
