package dev.tributary.batch;

/** How many rows the next batch has at most: half as many after one that took too long, twice as many after one that did not. */
final class BatchSize {
    private final int most;
    private int rows;

    BatchSize(int most) {
        this.most = most;
        this.rows = most;
    }

    int rows() {
        return rows;
    }

    /** False if it is one row already. */
    boolean halve() {
        boolean divisible = rows > 1;
        rows = Math.max(1, rows / 2);
        return divisible;
    }

    void grow() {
        rows = rows > most / 2 ? most : rows * 2;
    }
}
