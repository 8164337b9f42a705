package dev.tributary.batch;

import dev.tributary.InvalidArgument;
import dev.tributary.TributarySchema;
import dev.tributary.internal.Arguments;
import dev.tributary.internal.Dialect;
import dev.tributary.internal.OwnTransactions;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** How a daemon works, once it is said what it does. */
public sealed class BatchOptions permits BatchColumns {
    final String name;
    final Walks walks;
    int batchSize = 1_000;
    Duration every = Duration.ofSeconds(60);
    Duration pause = Duration.ZERO;
    Optional<Duration> timeBudget = Optional.empty();
    int countEvery = 1;
    BatchListener listener = new BatchListener() {};

    BatchOptions(String name, Walks walks) {
        this.name = name;
        this.walks = walks;
    }

    /**
     * How many rows a batch has at most; each batch is a transaction. Half as many after one that met the statement timeout or
     * the lock timeout (57014, 55P03) or had a row in it that cannot be written (classes 22, 23 and P0, or {@link RowFailed}), and twice as
     * many after each one that went well, up to this. Default: 1,000.
     *
     * @throws InvalidArgument if it is below 1
     */
    public BatchOptions batchSize(int rows) {
        Arguments.atLeastOne("the batch size", rows);
        batchSize = rows;
        return this;
    }

    /** The time from the begin of one run to the begin of the next; after a run that took longer, the next follows at once. Default: 60
     * seconds. */
    public BatchOptions every(Duration interval) {
        Arguments.positive("every", interval);
        every = interval;
        return this;
    }

    /** How long it leaves the database alone between two batches of a run. Default: not at all. */
    public BatchOptions pause(Duration betweenBatches) {
        Arguments.delay("the pause", betweenBatches);
        pause = betweenBatches;
        return this;
    }

    /**
     * How long a run takes: no batch is begun after that, and the next run goes on where this one stopped. At least one batch is
     * done. Default: until every row of the set has been chosen once.
     */
    public BatchOptions timeBudget(Duration ofARun) {
        Arguments.positive("the time budget", ofARun);
        timeBudget = Optional.of(ofARun);
        return this;
    }

    /**
     * Counts the rows that wait at the end of every nth run, and of a run in which none left although some wait. Counting reads
     * every row of the set: an index that fits the condition makes that cheap, without one it reads the whole table. Default: 1.
     *
     * @throws InvalidArgument if it is below 1
     */
    public BatchOptions countEvery(int runs) {
        Arguments.atLeastOne("countEvery", runs);
        countEvery = runs;
        return this;
    }

    /** Told of progress and of trouble. Default: nobody. */
    public BatchOptions listener(BatchListener listener) {
        this.listener = Arguments.notNull("the listener", listener);
        return this;
    }

    /** {@link #on(DataSource, String)} in the schema {@value TributarySchema#DEFAULT}. */
    public BatchDaemon on(DataSource ds) {
        return on(ds, TributarySchema.DEFAULT);
    }

    /**
     * The daemon, with transactions of its own: each batch is one at READ COMMITTED, run again up to four times after a deadlock
     * or a serialization failure. Any auto-commit mode and default isolation of the connections will do; its timeouts are those
     * of the connections.
     *
     * @param ds a pool, best; one connection is used at a time, and none between two batches
     * @param schema where the tables of {@code dev.tributary.db} are, if they are meant; other tables are found as they are named
     * @throws InvalidArgument if an argument is null or the name of the schema is not usable
     */
    public BatchDaemon on(DataSource ds, String schema) {
        Arguments.notNull("the DataSource", ds);
        return new BatchDaemon(this, new OwnTransactions(ds, new Dialect(Arguments.schema(schema))), System::nanoTime);
    }
}
