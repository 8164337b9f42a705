package dev.tributary.examples.pricerefresh;

/** Keeps one worker process running, and kills it in the middle of its work as often as it is told. */
final class Workers implements AutoCloseable {
    private final Store store;
    private final Tally tally;
    private final int kills;
    private final Desk desk;
    private int killed;
    private WorkerProcess worker;

    Workers(Store store, Tally tally, int kills, Desk desk) {
        this.store = store;
        this.tally = tally;
        this.kills = kills;
        this.desk = desk;
        this.worker = new WorkerProcess(store, desk);
    }

    /** @param progress of the run, from 0 to 1: the kills are spread over it */
    synchronized void watch(double progress) {
        if (killed < kills && progress * (kills + 1) >= killed + 1 && worker.isInTheMiddle()) {
            worker.kill();
            killed++;
            tally.count(Count.WORKER_KILLED);
        }
        if (!worker.isAlive()) {
            worker.close();
            worker = new WorkerProcess(store, desk);
        }
    }

    @Override
    public synchronized void close() {
        worker.close();
    }
}
