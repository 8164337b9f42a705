package dev.tributary.batch;

import dev.tributary.internal.Steps;
import dev.tributary.internal.sql.KeysetPage;
import dev.tributary.internal.sql.Position;
import dev.tributary.internal.sql.RowKey;
import dev.tributary.internal.sql.StuckKeys;
import dev.tributary.internal.sql.Waiting;
import dev.tributary.internal.sql.WorkSet;
import java.util.List;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;

/** A walk in strict order, whose position is kept in the database and moves with each batch. */
final class Cursor implements Walk {
    private final CursorPlace place;
    private final Steps transactions;
    private final Write write;
    private final Horizon horizon;
    private final boolean repeating;
    private long doneWhenLastBegun;
    private long doneWhenBegun;
    private Step last = new Step(0, true, false);

    Cursor(CursorPlace place, Steps transactions, Write write, Horizon horizon, boolean repeating) {
        this.place = place;
        this.transactions = transactions;
        this.write = write;
        this.horizon = horizon;
        this.repeating = repeating;
    }

    @Override
    public void begin() {
        doneWhenLastBegun = doneWhenBegun;
        doneWhenBegun = transactions.run(place::read).done();
        if (!repeating) {
            horizon.move();
        }
    }

    /**
     * What a batch was.
     *
     * @param ends whether it was the last of the sweep
     * @param elsewhere whether another daemon of the name had the position
     */
    private record Step(long rows, boolean ends, boolean elsewhere) {}

    @Override
    public Batch batch(int limit) {
        last = transactions.run(
                tx -> place.lock(tx).map(reached -> step(tx, reached, limit)).orElse(new Step(0, false, true)));
        return Batch.of(last.rows(), List.of(), last.ends() || last.elsewhere());
    }

    private Step step(DSLContext tx, CursorPlace.Reached reached, int limit) {
        Optional<Position> from = reached.position();
        Optional<Position> end = end(tx, reached);
        KeysetPage page = new KeysetPage(place.order(), from, end, limit);
        boolean amongNulls = page.isAmongNulls();
        Passed passed = amongNulls || end.isPresent() ? write.page(tx, page) : Passed.NONE;
        boolean isShort = passed.rows() < limit;
        Optional<Position> to = passed.last().or(() -> from);
        if (isShort && amongNulls) {
            to = Optional.of(place.order().behindNulls());
        } else if (isShort && repeating) {
            to = Optional.empty();
        }
        if (!to.equals(from)) {
            place.move(tx, to, repeating ? end : Optional.empty(), passed.rows());
        }
        return new Step(passed.rows(), isShort && !amongNulls, false);
    }

    /** The row behind which none is walked; daemons of one name are in one sweep, so they have to have one end. */
    private Optional<Position> end(DSLContext tx, CursorPlace.Reached reached) {
        if (!repeating) {
            return horizon.settled();
        }
        return reached.position().isPresent() ? reached.sweepEnd() : place.last(tx);
    }

    /** It does not: behind the position nobody would come back to the row. */
    @Override
    public Batch pass(DataAccessException refusal) {
        throw refusal;
    }

    @Override
    public long waiting() {
        return repeating && last.ends()
                ? 0
                : transactions
                        .run(tx -> tx.fetchSingle(Waiting.query(ahead(tx))))
                        .value1();
    }

    private WorkSet ahead(DSLContext tx) {
        return place.order().ahead(place.read(tx).position());
    }

    @Override
    public Optional<Stall> stall(Figures run) {
        if (transactions.run(place::read).done() != doneWhenLastBegun) {
            return Optional.empty();
        }
        List<RowKey> rows = transactions.run(tx -> {
            WorkSet ahead = ahead(tx);
            return tx.fetch(StuckKeys.query(ahead, Stall.SAMPLE)).map(ahead::keyOf);
        });
        return rows.isEmpty() ? Optional.empty() : Optional.of(Stall.of(run.waiting(), reason(), rows));
    }

    private Stall.Reason reason() {
        if (last.elsewhere()) {
            return Stall.Reason.LOCKED;
        }
        return horizon.isHeldBack() ? Stall.Reason.HELD_BACK : Stall.Reason.NOT_SELECTED;
    }

    @Override
    public void reset() {
        transactions.run(place::reset);
    }
}
