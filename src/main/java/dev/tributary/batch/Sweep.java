package dev.tributary.batch;

import dev.tributary.internal.Steps;
import dev.tributary.internal.sql.BatchLock;
import dev.tributary.internal.sql.RowKey;
import dev.tributary.internal.sql.StillInSet;
import dev.tributary.internal.sql.StuckKeys;
import dev.tributary.internal.sql.Waiting;
import dev.tributary.internal.sql.WorkSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;

/**
 * A walk through the set in the order of its keys; after the last batch it begins again at the first key. It goes on behind what it
 * chose, whether or not that has left the set, so rows that stay are not in the way of the others.
 */
final class Sweep implements Walk {
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private final Steps transactions;
    private final WorkSet set;
    private final Write write;
    private final AtomicBoolean reset = new AtomicBoolean();
    private Optional<RowKey> after = Optional.empty();

    private Sweep(Steps transactions, WorkSet set, Write write) {
        this.transactions = transactions;
        this.set = set;
        this.write = write;
    }

    static Walks through(WorkSet set, Write write) {
        return (transactions, stop) -> new Sweep(transactions, set, write);
    }

    @Override
    public void begin() {}

    @Override
    public Batch batch(int limit) {
        if (reset.getAndSet(false)) {
            after = Optional.empty();
        }
        Written written = transactions.run(tx -> write(tx, limit));
        // Only now is it committed.
        goBehind(written.keys(), limit);
        return Batch.of(written.keys().size(), written.stayed(), after.isEmpty());
    }

    private record Written(List<RowKey> keys, List<RowKey> stayed) {}

    private Written write(DSLContext tx, int limit) {
        List<RowKey> keys = write.batch(tx, set, after, limit);
        List<RowKey> stayed = keys.isEmpty()
                ? List.of()
                : tx.fetch(StillInSet.query(set, keys)).map(set::keyOf);
        return new Written(keys, stayed);
    }

    private void goBehind(List<RowKey> keys, int limit) {
        after = keys.size() < limit ? Optional.empty() : Optional.of(keys.get(keys.size() - 1));
    }

    @Override
    public Batch pass(DataAccessException refusal) {
        List<RowKey> row =
                transactions.run(tx -> tx.fetch(BatchLock.keys(set, after, 1)).map(set::keyOf));
        goBehind(row, 1);
        return new Batch(row.size(), row, row.size(), after.isEmpty());
    }

    @Override
    public long waiting() {
        return transactions.run(tx -> tx.fetchSingle(Waiting.query(set))).value1();
    }

    @Override
    public Optional<Stall> stall(Figures run) {
        if (!run.stayed().isEmpty()) {
            Stall.Reason reason = run.anyFailed() ? Stall.Reason.WRITE_FAILS : Stall.Reason.STILL_IN_SET;
            return Optional.of(Stall.of(run.waiting(), reason, run.stayed()));
        }
        List<RowKey> waiting = transactions.run(
                tx -> tx.fetch(StuckKeys.query(set, Stall.SAMPLE)).map(set::keyOf));
        return waiting.isEmpty()
                ? Optional.empty()
                : Optional.of(Stall.of(
                        run.waiting(), areLocked() ? Stall.Reason.LOCKED : Stall.Reason.NOT_SELECTED, waiting));
    }

    private boolean areLocked() {
        try {
            transactions.run(tx -> tx.fetch(StuckKeys.locked(set, Stall.SAMPLE)));
            return false;
        } catch (DataAccessException e) {
            if (LOCK_NOT_AVAILABLE.equals(e.sqlState())) {
                return true;
            }
            throw e;
        }
    }

    @Override
    public void reset() {
        reset.set(true);
    }
}
