package dev.tributary.batch;

import dev.tributary.internal.Steps;
import dev.tributary.internal.sql.KeysetPage;
import dev.tributary.internal.sql.Position;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;

/** The rows that a cursor has gone past because they could not be written: kept in the database, and tried again with every run. */
final class AsideRows {
    private final CursorPlace place;
    private final Steps transactions;
    private final Write write;
    private List<Position> places = List.of();

    AsideRows(CursorPlace place, Steps transactions, Write write) {
        this.place = place;
        this.transactions = transactions;
        this.write = write;
    }

    /** As they were last looked up. */
    List<Position> places() {
        return places;
    }

    /** Each alone, so that one does not undo the others. */
    List<Batch> tryAgain() {
        lookUp();
        List<Batch> tried = places.stream().map(this::tryAgain).toList();
        if (!tried.isEmpty()) {
            lookUp();
        }
        return tried;
    }

    void lookUp() {
        places = transactions.run(place::setAside);
    }

    private Batch tryAgain(Position row) {
        try {
            return Batch.of(transactions.run(tx -> written(tx, row)), false);
        } catch (DataAccessException | RowFailed e) {
            if (!Refusal.isOfARow(e)) {
                throw e;
            }
            return Batch.failed(place.order().keyOf(row), e);
        }
    }

    /** How many rows were written: none if another daemon has the cursor, has written it, or it is gone. */
    private long written(DSLContext tx, Position row) {
        return place.lock(tx)
                .filter(reached -> place.takeBack(tx, row))
                .map(reached -> {
                    long rows =
                            write.page(tx, KeysetPage.at(place.order(), row)).rows();
                    place.move(tx, reached.position(), reached.sweepEnd(), rows);
                    return rows;
                })
                .orElse(0L);
    }
}
