package dev.tributary.batch;

import dev.tributary.InvalidArgument;
import dev.tributary.internal.Arguments;
import dev.tributary.internal.sql.KeysetOrder;
import java.util.List;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.DSL;

/**
 * All rows of a table in the strict order of a sort key and the id: for what no condition can select cheaply. The position, which is
 * the last row that was done, is a row of the table {@code batch_cursors} under the name of the daemon, and moves in the
 * transaction of the batch: a daemon that is killed or made anew goes on behind the last batch that committed, and of several
 * daemons of one name one walks at a time.
 *
 * <p>Rows whose sort key is null come first, by id; one that comes there once the walk has left them is done only by the next sweep of
 * a {@link #repeating} daemon, when it gets a sort key, or after {@link BatchDaemon#reset}.
 *
 * <p>At its end the walk waits for new rows, unless it is {@link #repeating}. A row that commits late, with a lower sort key
 * than some before it, is not passed over: a run goes as far as the row that was the last when it began, and not before all
 * transactions that clients had open in the database then have ended; it waits a second for that, and is else held back until the
 * next run. This asks that sort keys of new rows come from a sequence (with {@code CACHE 1}, the default) or the clock of the database, inside the
 * transaction that writes them, and that a row's sort key only ever grows. For keys that are made otherwise, as by a client or in
 * blocks, the walk has to be repeating.
 *
 * @param <R> the type of the rows
 */
public final class Keyset<R extends Record> extends BatchWork<R> {
    private final KeysetOrder order;
    private final boolean repeating;

    private Keyset(String name, Table<R> table, KeysetOrder order, boolean repeating) {
        super(name, table);
        this.order = order;
        this.repeating = repeating;
    }

    static <R extends Record> Keyset<R> of(String name, Table<R> table, Field<?> sortKey, List<Field<?>> id) {
        CursorPlace.requireName(name);
        return new Keyset<>(name, table, new KeysetOrder(table, sortKey, id, DSL.noCondition()), false);
    }

    /**
     * Writes only the rows for which this holds; the others are walked past, and count as done as well. Without it every row is
     * written. That is allowed here and not after a progress condition, since the position moves past what is left out.
     *
     * @param condition over the columns of the table, and of others if it likes
     * @throws InvalidArgument if it is null
     */
    public Keyset<R> filter(Condition condition) {
        Arguments.notNull("the condition", condition);
        return new Keyset<>(
                name,
                table,
                new KeysetOrder(table, order.sort(), order.id(), order.filter().and(condition)),
                repeating);
    }

    /**
     * Begins again at the first row when it has come to the end: one sweep after the other, each through all the rows that are there
     * when it begins. It waits for no transaction: what it passes over comes in the next sweep.
     */
    public Keyset<R> repeating() {
        return new Keyset<>(name, table, order, true);
    }

    @Override
    Walks doing(Write write) {
        CursorPlace place = new CursorPlace(name, order);
        return (transactions, stop) ->
                new Cursor(place, transactions, write, new Horizon(place, transactions, stop), repeating);
    }

    @Override
    List<? extends Field<?>> fixed() {
        return order.order();
    }
}
