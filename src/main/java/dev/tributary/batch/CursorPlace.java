package dev.tributary.batch;

import dev.tributary.InvalidArgument;
import dev.tributary.db.tables.records.BatchCursorsRecord;
import dev.tributary.internal.Text;
import dev.tributary.internal.sql.CursorRow;
import dev.tributary.internal.sql.KeysetOrder;
import dev.tributary.internal.sql.Position;
import dev.tributary.internal.sql.SetAside;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** Where the position of a cursor is kept. */
record CursorPlace(String name, KeysetOrder order) {
    private static final int LONGEST_NAME = 1_024;

    /**
     * @param position empty before the first row
     * @param sweepEnd the last row of the sweep; empty if it has not begun or is not repeated
     * @param done rows that were done since the row was made, by all daemons of the name
     */
    record Reached(Optional<Position> position, Optional<Position> sweepEnd, long done) {}

    /** @throws InvalidArgument if the name is no key of the table */
    static void requireName(String name) {
        Text.flaw(name).ifPresent(flaw -> {
            throw new InvalidArgument("the name of the daemon holds " + flaw);
        });
        if (Text.bytes(name) > LONGEST_NAME) {
            throw new InvalidArgument("the name of a cursor has at most " + LONGEST_NAME + " bytes, this one has "
                    + Text.bytes(name) + ": " + Text.quoted(name));
        }
    }

    /** Takes no lock, unless the row has to be made. */
    Reached read(DSLContext tx) {
        BatchCursorsRecord row = tx.fetchOptional(CursorRow.read(name)).orElseGet(() -> create(tx));
        if (!Arrays.equals(row.getKeyset(), order.names())) {
            throw new InvalidArgument("the cursor " + Text.quoted(name) + " has walked by "
                    + Arrays.toString(row.getKeyset()) + " and this daemon walks by " + Arrays.toString(order.names())
                    + ": give it another name, or reset() it");
        }
        return reached(row);
    }

    private BatchCursorsRecord create(DSLContext tx) {
        tx.execute(CursorRow.create(name, order.names()));
        return tx.fetchSingle(CursorRow.read(name));
    }

    /** Locked to the end of the transaction; empty if another has it locked, or it was reset since it was read. */
    Optional<Reached> lock(DSLContext tx) {
        return tx.fetchOptional(CursorRow.lock(name)).map(CursorPlace::reached);
    }

    /** @param done rows that were done on the way */
    void move(DSLContext tx, Optional<Position> to, Optional<Position> sweepEnd, long done) {
        tx.execute(CursorRow.move(name, to, sweepEnd, done));
    }

    /** Rows that were gone past, oldest first. */
    List<Position> setAside(DSLContext tx) {
        return tx.fetch(SetAside.places(name)).map(row -> Position.of(row.value1()));
    }

    void setAside(DSLContext tx, Position row, RuntimeException cause) {
        tx.execute(SetAside.add(name, row, Refusal.text(cause)));
    }

    /** False if another daemon has written it meanwhile. */
    boolean takeBack(DSLContext tx, Position row) {
        return tx.execute(SetAside.remove(name, row)) > 0;
    }

    /** The place of the last row that has a sort key. */
    Optional<Position> last(DSLContext tx) {
        return tx.fetchOptional(order.last()).map(KeysetOrder::placeOf);
    }

    int reset(DSLContext tx) {
        return tx.execute(CursorRow.reset(name));
    }

    private static Reached reached(BatchCursorsRecord row) {
        return new Reached(place(row.getPosition()), place(row.getSweepEnd()), row.getDone());
    }

    private static Optional<Position> place(@Nullable String @Nullable [] texts) {
        return Optional.ofNullable(texts).map(Position::of);
    }
}
