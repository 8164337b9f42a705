package dev.tributary.batch;

import dev.tributary.internal.Steps;
import dev.tributary.internal.sql.RowKey;
import dev.tributary.internal.sql.StuckKeys;
import dev.tributary.internal.sql.WorkSet;
import java.util.List;
import java.util.Optional;
import org.jooq.exception.DataAccessException;

/** Sees that nothing moves although rows wait; says so once, and once that it is over. */
final class StallWatch {
    static final int SAMPLE = 5;
    private static final int RUNS = 2;
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private final Steps transactions;
    private final WorkSet set;
    private int runsWithoutProgress;
    private boolean stalled;

    StallWatch(Steps transactions, WorkSet set) {
        this.transactions = transactions;
        this.set = set;
    }

    boolean isStalled() {
        return stalled;
    }

    /** What there is to tell after a run: that a stall has begun, or nothing new. */
    Optional<Stall> after(Figures run) {
        boolean moves = run.waiting() == 0 || run.anyLeft();
        runsWithoutProgress = moves ? 0 : Math.min(RUNS, runsWithoutProgress + 1);
        if (stalled || runsWithoutProgress < RUNS) {
            return Optional.empty();
        }
        Optional<Stall> stall = find(run);
        stalled = stall.isPresent();
        return stall;
    }

    /** Whether a stall is over. */
    boolean ends() {
        boolean ends = stalled && runsWithoutProgress == 0;
        if (ends) {
            stalled = false;
        }
        return ends;
    }

    /** Empty if the rows have gone meanwhile. */
    private Optional<Stall> find(Figures run) {
        if (!run.stayed().isEmpty()) {
            return Optional.of(stall(run, Stall.Reason.STILL_IN_SET, run.stayed()));
        }
        List<RowKey> waiting =
                transactions.run(tx -> tx.fetch(StuckKeys.query(set, SAMPLE)).map(set::keyOf));
        return waiting.isEmpty()
                ? Optional.empty()
                : Optional.of(stall(run, areLocked() ? Stall.Reason.LOCKED : Stall.Reason.NOT_SELECTED, waiting));
    }

    private boolean areLocked() {
        try {
            transactions.run(tx -> tx.fetch(StuckKeys.locked(set, SAMPLE)));
            return false;
        } catch (DataAccessException e) {
            if (LOCK_NOT_AVAILABLE.equals(e.sqlState())) {
                return true;
            }
            throw e;
        }
    }

    private static Stall stall(Figures run, Stall.Reason reason, List<RowKey> keys) {
        return new Stall(
                run.waiting(), reason, keys.stream().map(RowKey::toString).toList());
    }
}
