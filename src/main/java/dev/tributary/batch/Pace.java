package dev.tributary.batch;

import dev.tributary.internal.Chance;
import org.jooq.exception.DataAccessException;

/**
 * How many rows the next batch has at most: half as many after one that took too long or had a row in it that the database refuses
 * to write, twice as many after one that went well. Such a row is left alone at last, and is gone past.
 */
final class Pace {
    /** More in a run are no rows that stand out. */
    private static final int MOST_FAILED = 100;

    private final Walk walk;
    private final int most;
    private final Events events;
    private int rows;
    private int failedInRun;

    Pace(Walk walk, int most, Events events) {
        this.walk = walk;
        this.most = most;
        this.events = events;
        this.rows = most;
    }

    void begin() {
        failedInRun = 0;
    }

    Batch next() {
        try {
            Batch batch = walk.batch(rows);
            rows = rows > most / 2 ? most : rows * 2;
            return batch;
        } catch (DataAccessException e) {
            return smaller(e);
        }
    }

    private Batch smaller(DataAccessException e) {
        boolean isRefused = Chance.isOfTheData(e);
        if (!isRefused && !Chance.isTimeout(e) || rows == 1 && (!isRefused || failedInRun == MOST_FAILED)) {
            throw e;
        }
        if (rows > 1) {
            rows = rows / 2;
            events.smaller(rows, e.sqlState());
            return Batch.UNDONE;
        }
        Batch past = walk.pass(e);
        if (failedInRun++ == 0) {
            events.failed(past.stayed(), e);
        }
        return past;
    }
}
