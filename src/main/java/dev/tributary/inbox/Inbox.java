package dev.tributary.inbox;

import dev.tributary.InvalidArgument;
import dev.tributary.NoTransaction;
import dev.tributary.TributarySchema;
import dev.tributary.internal.Arguments;
import dev.tributary.internal.CallerTransaction;
import dev.tributary.internal.Dialect;
import dev.tributary.internal.OwnTransactions;
import java.sql.Connection;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;

/**
 * Accepts events exactly once for each business key, however often and by however many they are delivered, and does what they
 * ask for in the same transaction. Safe for use by several threads, except within a caller's transaction. Settings make a new
 * inbox and leave the old one as it is.
 *
 * <p>Bad input is refused before any SQL by subclasses of {@link dev.tributary.TributaryException}. A null argument is one.
 */
public final class Inbox {
    private static final OnAccepted NOTHING = (tx, accepted) -> {};

    private final String schema;
    private final Place place;
    private final ServerLocks serverLocks;
    private final Terms terms;

    private Inbox(String schema, Place place, ServerLocks serverLocks, Terms terms) {
        this.schema = schema;
        this.place = place;
        this.serverLocks = serverLocks;
        this.terms = terms;
    }

    /** {@link #on(DataSource, String)} in the schema {@value TributarySchema#DEFAULT}. */
    public static Inbox on(DataSource ds) {
        return on(ds, TributarySchema.DEFAULT);
    }

    /**
     * An inbox with transactions of its own: every batch is one at READ COMMITTED, run again up to four times after a deadlock or
     * a serialization failure, with a pause of random length. Any auto-commit mode and default isolation of the connections
     * will do.
     *
     * @param ds a pool, best
     * @param schema where {@link TributarySchema#migrate(DataSource, String)} made the tables
     * @throws InvalidArgument if an argument is null or the name of the schema is not usable
     */
    public static Inbox on(DataSource ds, String schema) {
        Arguments.notNull("the DataSource", ds);
        OwnTransactions transactions = new OwnTransactions(ds, new Dialect(Arguments.schema(schema)));
        return new Inbox(schema, new OwnPlace(transactions), new ServerLocks(), Terms.DEFAULT);
    }

    /**
     * The same inbox in the caller's transaction, for one call of {@code ingest}: what it does takes effect when the caller
     * commits. All events of the call are one batch, under a savepoint: if it throws, nothing was stored or locked, and the
     * transaction can go on. Errors of the database, deadlocks (40P01) and serialization failures (40001) among them, are
     * passed on unchanged; after those the caller runs the whole again. Locks are held until the transaction ends.
     *
     * <p>Beside what the inbox throws otherwise, the call throws {@link UnsuitableTransaction} if the transaction has ingested
     * before, or is at REPEATABLE READ or SERIALIZABLE under {@link Strategy#ADVISORY_LOCKS}; {@link InvalidArgument} if the
     * events would take more locks than the budget, or have more than 67,108,864 characters; {@link NoTransaction} if there is
     * no transaction.
     *
     * @param tx on the connection of an open transaction, in jOOQ the context of the transaction; the action is given this one
     */
    public Inbox within(DSLContext tx) {
        Arguments.notNull("the DSLContext", tx);
        CallerTransaction transaction =
                new CallerTransaction(tx.configuration().connectionProvider(), new Dialect(schema));
        return new Inbox(schema, new CallersPlace(transaction, tx), serverLocks, terms);
    }

    /** As {@link #within(DSLContext)}; the action is given a context on the connection. */
    public Inbox within(Connection tx) {
        return within(Dialect.lent(new Dialect(schema).on(Arguments.notNull("the connection", tx))));
    }

    /** How deliveries of one key are kept apart. Default: {@link Strategy#ORDERED_UPSERT}. */
    public Inbox strategy(Strategy strategy) {
        return with(terms.strategy(Arguments.notNull("the strategy", strategy)));
    }

    /**
     * How many business keys a transaction of the inbox's own has at most; under {@link Strategy#ADVISORY_LOCKS} without
     * {@link #stripes} also no more than the {@link #lockBudget}. A batch ends earlier if its payloads are long: at 16,777,216
     * characters. Default: 500.
     *
     * @throws InvalidArgument if it is below 1
     */
    public Inbox batchSize(int keys) {
        Arguments.atLeastOne("the batch size", keys);
        return with(terms.batchSize(keys));
    }

    /**
     * How many advisory locks a transaction takes at most. The server has one table for the locks of all sessions; the first
     * {@code ingest} throws {@link InvalidArgument} if a batch may take more than half of it. Default: 500.
     *
     * @throws InvalidArgument if it is below 1
     */
    public Inbox lockBudget(int locks) {
        Arguments.atLeastOne("the lock budget", locks);
        return with(terms.lockBudget(locks));
    }

    /**
     * Folds all business keys on so many locks, so that a batch of any size takes no more. Batches that have a stripe in common
     * wait for each other. All inboxes of a schema should have the same number: keys of two that differ are kept apart by the
     * primary key alone. Default: a lock for each key.
     *
     * @throws InvalidArgument if it is below 1
     */
    public Inbox stripes(int n) {
        Arguments.atLeastOne("the number of stripes", n);
        return with(terms.stripes(n));
    }

    /**
     * Leaves events out that cannot be stored, and tells the listener of each. Default: they are refused, and the call with
     * them.
     */
    public Inbox skipInvalid(InvalidEventListener listener) {
        return with(terms.skipInvalid(Arguments.notNull("the listener", listener)));
    }

    private Inbox with(Terms changed) {
        return new Inbox(schema, place, serverLocks, changed);
    }

    /** {@link #ingest(List, OnAccepted)} without an action. */
    public Ingested ingest(List<Event> events) {
        return ingest(events, NOTHING);
    }

    /**
     * Stores the events whose business keys are new, and calls the action for them in the transaction that stores them. Of
     * events with one key the first counts. It waits for transactions that have an event of the same key in hand: if they
     * commit, it is a duplicate here; if they roll back, it is new.
     *
     * @param events any number; they are stored in batches in the order of the call, each batch a transaction
     * @param action called once for each batch in which anything is new
     * @return what became of each event
     * @throws InvalidEvent if an event cannot be stored, unless {@link #skipInvalid} leaves it out; nothing was sent
     * @throws IngestFailed if the action threw, or the database; that batch was rolled back, those before it are committed
     * @throws InvalidArgument if an argument is null or the lock budget does not fit the server
     */
    public Ingested ingest(List<Event> events, OnAccepted action) {
        Arguments.areNotNull("the events", events);
        Arguments.notNull("the action", action);
        List<Delivery> deliveries = Delivery.all(events, terms.skipped());
        return deliveries.isEmpty()
                ? Ingested.of(List.of())
                : place.ingest(deliveries, new Ingest(schema + ".events", terms, action), serverLocks);
    }
}
