package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.BATCH_SET_ASIDE;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import org.jooq.Field;
import org.jooq.Record1;
import org.jooq.ResultQuery;
import org.jooq.RowCountQuery;

/** Rows that a cursor has gone past because they could not be written, by their places. */
public final class SetAside {
    private SetAside() {}

    /** Those of a cursor, oldest first. */
    public static ResultQuery<Record1<String[]>> places(String name) {
        return select(BATCH_SET_ASIDE.PLACE)
                .from(BATCH_SET_ASIDE)
                .where(BATCH_SET_ASIDE.NAME.eq(param("name", name)))
                .orderBy(BATCH_SET_ASIDE.SET_ASIDE_AT, BATCH_SET_ASIDE.PLACE);
    }

    /** Nothing if it is there: a repeating walk comes by again. */
    public static RowCountQuery add(String name, Position place, String error) {
        return insertInto(BATCH_SET_ASIDE)
                .set(BATCH_SET_ASIDE.NAME, param("name", name))
                .set(BATCH_SET_ASIDE.PLACE, place(place))
                .set(BATCH_SET_ASIDE.ERROR, param("error", error))
                .onConflict(BATCH_SET_ASIDE.NAME, BATCH_SET_ASIDE.PLACE)
                .doNothing();
    }

    /** @return no row changed if another daemon has written it meanwhile */
    public static RowCountQuery remove(String name, Position place) {
        return deleteFrom(BATCH_SET_ASIDE)
                .where(BATCH_SET_ASIDE.NAME.eq(param("name", name)))
                .and(BATCH_SET_ASIDE.PLACE.eq(place(place)));
    }

    /** Typed by the column: an array of varchar equals no array of text. */
    private static Field<String[]> place(Position place) {
        return param("place", BATCH_SET_ASIDE.PLACE.getDataType()).$value(place.array());
    }
}
