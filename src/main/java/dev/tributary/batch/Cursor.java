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
import java.util.function.ToLongFunction;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;

/** A walk in strict order, whose position is kept in the database and moves with each batch. */
final class Cursor implements Walk {
    private final CursorPlace place;
    private final Steps transactions;
    private final Write write;
    private final Horizon horizon;
    private final boolean repeating;
    private final AsideRows aside;
    private long doneWhenLastBegun;
    private long doneWhenBegun;
    private Step last = new Step(0, true, false);

    Cursor(CursorPlace place, Steps transactions, Write write, Horizon horizon, boolean repeating) {
        this.place = place;
        this.transactions = transactions;
        this.write = write;
        this.horizon = horizon;
        this.repeating = repeating;
        this.aside = new AsideRows(place, transactions, write);
    }

    @Override
    public List<Batch> begin() {
        doneWhenLastBegun = doneWhenBegun;
        doneWhenBegun = transactions.run(place::read).done();
        if (!repeating) {
            horizon.move();
        }
        return aside.tryAgain();
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
        return Batch.of(last.rows(), last.ends() || last.elsewhere());
    }

    private Step step(DSLContext tx, CursorPlace.Reached reached, int limit) {
        Optional<Position> from = reached.position();
        Optional<Position> end = end(tx, reached);
        boolean amongNulls = place.order().isAmongNulls(from);
        Passed passed = page(from, end, limit).map(page -> write.page(tx, page)).orElse(Passed.NONE);
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

    /** Empty if there can be nothing in it. */
    private Optional<KeysetPage> page(Optional<Position> from, Optional<Position> end, int limit) {
        return end.isEmpty() && !place.order().isAmongNulls(from)
                ? Optional.empty()
                : Optional.of(KeysetPage.after(place.order().without(aside.places()), from, end, limit));
    }

    /** The row behind which none is walked; daemons of one name are in one sweep, so they have to have one end. */
    private Optional<Position> end(DSLContext tx, CursorPlace.Reached reached) {
        if (!repeating) {
            return horizon.settled();
        }
        return reached.position().isPresent() ? reached.sweepEnd() : place.last(tx);
    }

    /**
     * The next row, and where it was looked up from.
     *
     * @param from what the position was
     * @param end where the sweep ends
     */
    private record Next(Optional<Position> from, Optional<Position> end, Position row) {}

    @Override
    public Batch setAside(RuntimeException refusal) {
        if (aside.places().size() >= Refusal.MOST_ROWS) {
            throw refusal;
        }
        return transactions.run(this::next).map(this::alone).orElse(Batch.UNDONE);
    }

    private Optional<Next> next(DSLContext tx) {
        CursorPlace.Reached reached = place.read(tx);
        Optional<Position> end = end(tx, reached);
        return page(reached.position(), end, 1)
                .flatMap(page -> tx.fetchOptional(page.rows()).map(page::placeOf))
                .map(row -> new Next(reached.position(), end, row));
    }

    private Batch alone(Next next) {
        KeysetPage page = KeysetPage.at(place.order(), next.row());
        try {
            return transactions.run(
                    tx -> goPast(tx, next, to -> write.page(to, page).rows()));
        } catch (DataAccessException | RowFailed e) {
            if (!Refusal.isOfARow(e)) {
                throw e;
            }
            transactions.run(tx -> goPast(tx, next, to -> {
                place.setAside(to, next.row(), e);
                return 0;
            }));
            aside.lookUp();
            return Batch.failed(place.order().keyOf(next.row()), e);
        }
    }

    /** Nothing if another daemon has moved the position meanwhile. */
    private Batch goPast(DSLContext tx, Next next, ToLongFunction<DSLContext> rows) {
        return place.lock(tx)
                .filter(reached -> reached.position().equals(next.from()))
                .map(reached -> {
                    long done = rows.applyAsLong(tx);
                    place.move(tx, Optional.of(next.row()), repeating ? next.end() : Optional.empty(), done);
                    return Batch.of(done, false);
                })
                .orElse(Batch.UNDONE);
    }

    @Override
    public long waiting() {
        long ahead = repeating && last.ends()
                ? 0
                : transactions
                        .run(tx -> tx.fetchSingle(Waiting.query(ahead(tx))))
                        .value1();
        return ahead + aside.places().size();
    }

    private WorkSet ahead(DSLContext tx) {
        return place.order().ahead(place.read(tx).position(), aside.places());
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
        if (!rows.isEmpty()) {
            return Optional.of(Stall.of(run.waiting(), reason(), rows));
        }
        return run.failed().isEmpty()
                ? Optional.empty()
                : Optional.of(Stall.of(run.waiting(), Stall.Reason.WRITE_FAILS, run.failed()));
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
