package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.BATCH_CURSORS;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.selectFrom;
import static org.jooq.impl.DSL.update;

import dev.tributary.db.tables.records.BatchCursorsRecord;
import java.util.Optional;
import org.jooq.Field;
import org.jooq.ResultQuery;
import org.jooq.RowCountQuery;

/** The row in which the position of a daemon is kept; who has it locked is the one that walks. */
public final class CursorRow {
    private CursorRow() {}

    /** Before the first row, unless it is there. */
    public static RowCountQuery create(String name, String[] keyset) {
        return insertInto(BATCH_CURSORS)
                .set(BATCH_CURSORS.NAME, param("name", name))
                .set(BATCH_CURSORS.KEYSET, param("keyset", keyset))
                .onConflict(BATCH_CURSORS.NAME)
                .doNothing();
    }

    /** Takes no lock. */
    public static ResultQuery<BatchCursorsRecord> read(String name) {
        return selectFrom(BATCH_CURSORS).where(BATCH_CURSORS.NAME.eq(param("name", name)));
    }

    /** @return no row if another daemon has it locked */
    public static ResultQuery<BatchCursorsRecord> lock(String name) {
        return selectFrom(BATCH_CURSORS)
                .where(BATCH_CURSORS.NAME.eq(param("name", name)))
                .forUpdate()
                .skipLocked();
    }

    /** @param done how many rows were done on the way */
    public static RowCountQuery move(String name, Optional<Position> to, Optional<Position> sweepEnd, long done) {
        return update(BATCH_CURSORS)
                .set(BATCH_CURSORS.POSITION, place("position", to))
                .set(BATCH_CURSORS.SWEEP_END, place("sweep_end", sweepEnd))
                .set(BATCH_CURSORS.DONE, BATCH_CURSORS.DONE.plus(param("done", done)))
                .set(BATCH_CURSORS.UPDATED_AT, Clock.now())
                .where(BATCH_CURSORS.NAME.eq(param("name", name)));
    }

    private static Field<String[]> place(String parameter, Optional<Position> place) {
        return param(parameter, BATCH_CURSORS.POSITION.getDataType())
                .$value(place.map(Position::array).orElse(null));
    }

    /** Waits for who has it locked. */
    public static RowCountQuery reset(String name) {
        return deleteFrom(BATCH_CURSORS).where(BATCH_CURSORS.NAME.eq(param("name", name)));
    }
}
