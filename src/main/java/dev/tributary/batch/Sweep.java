package dev.tributary.batch;

import dev.tributary.internal.Steps;
import dev.tributary.internal.sql.BatchLock;
import dev.tributary.internal.sql.RowKey;
import dev.tributary.internal.sql.StillInSet;
import dev.tributary.internal.sql.StuckKeys;
import dev.tributary.internal.sql.Waiting;
import dev.tributary.internal.sql.WorkSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
    private final Set<RowKey> aside = new LinkedHashSet<>();

    private Sweep(Steps transactions, WorkSet set, Write write) {
        this.transactions = transactions;
        this.set = set;
        this.write = write;
    }

    static Walks through(WorkSet set, Write write) {
        return (transactions, stop) -> new Sweep(transactions, set, write);
    }

    @Override
    public List<Batch> begin() {
        return List.copyOf(aside).stream().map(this::alone).toList();
    }

    /** It stays set aside if it cannot be written. */
    private Batch alone(RowKey row) {
        try {
            Written written = transactions.run(tx -> write(tx, set.only(row), Optional.empty(), 1));
            aside.remove(row);
            return written.batch(false);
        } catch (DataAccessException | RowFailed e) {
            if (!Refusal.isOfARow(e)) {
                throw e;
            }
            aside.add(row);
            return Batch.failed(row, e);
        }
    }

    @Override
    public Batch batch(int limit) {
        if (reset.getAndSet(false)) {
            after = Optional.empty();
        }
        Written written = transactions.run(tx -> write(tx, set.without(aside), after, limit));
        // Only now is it committed.
        after = written.keys().size() < limit
                ? Optional.empty()
                : Optional.of(written.keys().get(limit - 1));
        return written.batch(after.isEmpty());
    }

    private record Written(List<RowKey> keys, List<RowKey> stayed) {
        Batch batch(boolean ended) {
            return new Batch(keys.size(), stayed, List.of(), ended);
        }
    }

    private Written write(DSLContext tx, WorkSet set, Optional<RowKey> after, int limit) {
        List<RowKey> keys = write.batch(tx, set, after, limit);
        List<RowKey> stayed = keys.isEmpty()
                ? List.of()
                : tx.fetch(StillInSet.query(set, keys)).map(set::keyOf);
        return new Written(keys, stayed);
    }

    @Override
    public Batch setAside(RuntimeException refusal) {
        if (aside.size() == Refusal.MOST_ROWS) {
            throw refusal;
        }
        return transactions
                .run(tx -> tx.fetchOptional(BatchLock.keys(set.without(aside), after, 1)))
                .map(set::keyOf)
                .map(this::alone)
                .orElse(Batch.UNDONE);
    }

    @Override
    public long waiting() {
        return transactions.run(tx -> tx.fetchSingle(Waiting.query(set))).value1();
    }

    @Override
    public Optional<Stall> stall(Figures run) {
        if (!run.failed().isEmpty()) {
            return Optional.of(Stall.of(run.waiting(), Stall.Reason.WRITE_FAILS, run.failed()));
        }
        if (!run.stayed().isEmpty()) {
            return Optional.of(Stall.of(run.waiting(), Stall.Reason.STILL_IN_SET, run.stayed()));
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
