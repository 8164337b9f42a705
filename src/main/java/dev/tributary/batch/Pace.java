package dev.tributary.batch;

import org.jooq.exception.DataAccessException;

/**
 * How many rows the next batch has at most: half as many after one that took too long or had a row in it that cannot be written,
 * twice as many after one that went well. A row that cannot be written stands alone at last, and is set aside.
 */
final class Pace {
    private final Walk walk;
    private final int most;
    private final Events events;
    private int rows;

    Pace(Walk walk, int most, Events events) {
        this.walk = walk;
        this.most = most;
        this.events = events;
        this.rows = most;
    }

    Batch next() {
        try {
            Batch batch = walk.batch(rows);
            rows = rows > most / 2 ? most : rows * 2;
            return batch;
        } catch (DataAccessException | RowFailed e) {
            return smaller(e);
        }
    }

    private Batch smaller(RuntimeException e) {
        boolean isOfARow = Refusal.isOfARow(e);
        if (rows > 1 && (isOfARow || Refusal.isOfTheSize(e))) {
            rows = rows / 2;
            events.smaller(rows, e);
            return Batch.UNDONE;
        }
        if (!isOfARow) {
            throw e;
        }
        Batch alone = walk.setAside(e);
        alone.failed().forEach(events::rowSetAside);
        return alone;
    }
}
