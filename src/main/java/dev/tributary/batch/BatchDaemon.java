package dev.tributary.batch;

import dev.tributary.InvalidArgument;
import dev.tributary.internal.Arguments;
import dev.tributary.internal.Steps;
import dev.tributary.internal.Text;
import dev.tributary.internal.sql.WorkSet;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;

/**
 * Updates, deletes, copies or computes the rows of a table in batches until none is left to do. It is built in steps:
 *
 * <pre>{@code
 * BatchDaemon.named("trust-score")
 *         .over(TABLE).key(ID)
 *         .whileTrue(TRUST_SCORE.isNull())
 *         .set(TRUST_SCORE, computeTrust(ID))
 *         .batchSize(10_000)
 *         .on(dataSource);
 * }</pre>
 *
 * A batch is chosen by the progress condition, in the order of the key, and all of it is written: nothing can be filtered after
 * the choice. Rows that another transaction has locked are passed over, so that daemons side by side share the work; they come
 * again in the next sweep. Where no condition says what is still to do, {@link Over#keyset} walks through all rows. Safe for use by
 * several threads.
 */
public final class BatchDaemon implements AutoCloseable {
    private final String name;
    private final Duration every;
    private final Stop stop = new Stop();
    private final ReentrantLock running = new ReentrantLock();
    private final Events events;
    private final Walk walk;
    private final Run run;
    private Optional<Thread> thread = Optional.empty();

    BatchDaemon(BatchOptions options, Steps transactions, LongSupplier nanos) {
        this.name = options.name;
        this.every = options.every;
        this.events = new Events(name, options.listener, nanos);
        this.walk = options.walks.over(transactions, stop);
        this.run = new Run(options, walk, nanos, stop, events);
    }

    /**
     * Begins a daemon.
     *
     * @param name for the log and for listeners; not blank
     */
    public static Named named(String name) {
        if (Arguments.notNull("the name of the daemon", name).isBlank()) {
            throw new InvalidArgument("the name of the daemon is blank: " + Text.quoted(name));
        }
        return new Named(name);
    }

    /**
     * One run on the calling thread: batch after batch, until every row of the set has been chosen once, the time budget is
     * used up, the thread is interrupted or the daemon is closed. Another thread's run is waited for.
     *
     * @return how far it has come
     * @throws org.jooq.exception.DataAccessException for an error of the database; batches before it are committed, and the next run goes on
     *     with the batch that failed
     * @throws NotAKey if the key does not name one row each
     * @throws IllegalStateException if the daemon is closed, or called from its own listener
     */
    public Progress runOnce() {
        if (running.isHeldByCurrentThread()) {
            throw new IllegalStateException("the daemon " + name + " is in a run: its listener cannot begin another");
        }
        running.lock();
        try {
            if (stop.isSet()) {
                throw new IllegalStateException("the daemon " + name + " is closed");
            }
            return run.once();
        } finally {
            running.unlock();
        }
    }

    /**
     * Starts its thread, which does a run every so often until {@link #close}. What a run throws is logged and told, and the next
     * one goes on.
     *
     * @throws IllegalStateException if it has been started or closed before
     */
    public synchronized void start() {
        if (stop.isSet() || thread.isPresent()) {
            throw new IllegalStateException("the daemon " + name + (stop.isSet() ? " is closed" : " has been started"));
        }
        Thread runs = new Thread(this::runs, "tributary-batch-" + name);
        runs.setDaemon(true);
        thread = Optional.of(runs);
        runs.start();
    }

    private void runs() {
        while (!stop.isSet()) {
            long begin = System.nanoTime();
            try {
                runOnce();
            } catch (Throwable failure) {
                if (!stop.isSet()) {
                    events.trouble(failure);
                }
            }
            try {
                stop.pause(every.minusNanos(System.nanoTime() - begin));
            } catch (InterruptedException nobodysBusiness) {
                // Only close() ends the daemon.
            }
        }
    }

    /**
     * Begins again: the next batch begins at the first row. Of a cursor the position is forgotten, also by other daemons of its name;
     * a batch that one of them is doing is waited for.
     *
     * @throws org.jooq.exception.DataAccessException for an error of the database
     */
    public void reset() {
        walk.reset();
    }

    /**
     * Ends it: the batch that is being done is committed and waited for, no other is begun. Can be called again, and from a
     * listener: then it does not wait.
     */
    @Override
    public void close() {
        stop.set();
        if (!running.isHeldByCurrentThread()) {
            running.lock();
            running.unlock();
        }
    }

    /** A daemon that has a name. */
    public static final class Named {
        private final String name;

        private Named(String name) {
            this.name = name;
        }

        /**
         * The table whose rows are to be done.
         *
         * @param table generated or not
         */
        public <R extends Record> Over<R> over(Table<R> table) {
            return new Over<>(name, Arguments.notNull("the table", table));
        }
    }

    /** A daemon that has a table. */
    public static final class Over<R extends Record> {
        private final String name;
        private final Table<R> table;

        private Over(String name, Table<R> table) {
            this.name = name;
            this.table = table;
        }

        /**
         * The key of the table: columns that are unique together, never null and not changed by the daemon. Batches follow its
         * order, so an index should begin with these columns.
         *
         * @throws InvalidArgument if a column is null
         */
        public Keyed<R> key(Field<?> column, Field<?>... further) {
            Arguments.areNotNull("the columns of the key", further);
            return new Keyed<>(
                    name,
                    table,
                    Stream.concat(Stream.of(Arguments.notNull("the column of the key", column)), keys(further))
                            .toList());
        }

        /**
         * All rows, in a strict order; an index should have just these columns.
         *
         * @param sortKey what the rows are ordered by; null is allowed in it
         * @param id columns that are unique together, never null and not changed by the daemon; none if the sort key is such a column
         * @throws InvalidArgument if a column is null, or the name of the daemon cannot be that of a cursor
         */
        public Keyset<R> keyset(Field<?> sortKey, Field<?>... id) {
            Arguments.notNull("the sort key", sortKey);
            Arguments.areNotNull("the columns of the id", id);
            return Keyset.of(name, table, sortKey, id.length == 0 ? List.of(sortKey) : keys(id).toList());
        }

        private static Stream<Field<?>> keys(Field<?>... columns) {
            return Stream.of(columns).map(each -> Arguments.notNull("a column of the key", each));
        }
    }

    /** A daemon that has a key. */
    public static final class Keyed<R extends Record> {
        private final String name;
        private final Table<R> table;
        private final List<Field<?>> key;

        private Keyed(String name, Table<R> table, List<Field<?>> key) {
            this.name = name;
            this.table = table;
            this.key = key;
        }

        /**
         * The progress condition: it holds for a row as long as the row is to be done.
         *
         * @param progress over the columns of the table, and of others if it likes
         * @throws InvalidArgument if it is null
         */
        public ProgressSet<R> whileTrue(Condition progress) {
            return new ProgressSet<>(
                    name, table, new WorkSet(table, key, Arguments.notNull("the progress condition", progress)));
        }

        /**
         * In place of a condition: all rows in the strict order of a sort key, ties broken by the key.
         *
         * @param sortKey null is allowed in it
         * @param id the columns of the key again, or none
         * @throws InvalidArgument if a column is null, the id is not the key, or the name of the daemon cannot be that of a cursor
         */
        public Keyset<R> keyset(Field<?> sortKey, Field<?>... id) {
            if (Arguments.areNotNull("the columns of the id", id).length > 0 && !key.equals(Arrays.asList(id))) {
                throw new InvalidArgument("the id is " + Arrays.asList(id) + ": it must be the key " + key);
            }
            return Keyset.of(name, table, Arguments.notNull("the sort key", sortKey), key);
        }
    }
}
