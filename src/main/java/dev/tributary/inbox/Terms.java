package dev.tributary.inbox;

import dev.tributary.InvalidArgument;
import java.util.Optional;
import java.util.OptionalInt;

/** How an inbox is set. */
record Terms(
        Strategy strategy, int batchSize, int lockBudget, OptionalInt stripes, Optional<InvalidEventListener> skipped) {
    static final Terms DEFAULT = new Terms(Strategy.ORDERED_UPSERT, 500, 500, OptionalInt.empty(), Optional.empty());

    Terms strategy(Strategy strategy) {
        return new Terms(strategy, batchSize, lockBudget, stripes, skipped);
    }

    Terms batchSize(int keys) {
        return new Terms(strategy, keys, lockBudget, stripes, skipped);
    }

    Terms lockBudget(int locks) {
        return new Terms(strategy, batchSize, locks, stripes, skipped);
    }

    Terms stripes(int n) {
        return new Terms(strategy, batchSize, lockBudget, OptionalInt.of(n), skipped);
    }

    Terms skipInvalid(InvalidEventListener listener) {
        return new Terms(strategy, batchSize, lockBudget, stripes, Optional.of(listener));
    }

    boolean takesLocks() {
        return strategy == Strategy.ADVISORY_LOCKS;
    }

    /** How many locks a batch takes at most; fewer than the budget if there are fewer stripes. */
    int mostLocks() {
        return Math.min(lockBudget, stripes.orElse(lockBudget));
    }

    /** How many keys a batch has at most, so that its locks stay within the budget. */
    int mostKeys() {
        return takesLocks() && !foldsWithinBudget() ? Math.min(batchSize, lockBudget) : batchSize;
    }

    /** Refuses a batch that cannot be divided. */
    void checkUndivided(int keys) {
        if (takesLocks() && !foldsWithinBudget() && keys > lockBudget) {
            throw new InvalidArgument(keys
                    + " business keys in the caller's transaction would take as many advisory locks;"
                    + " the budget is " + lockBudget + ": raise it (lockBudget(n)), fold the keys (stripes(n)), or"
                    + " ingest in several transactions");
        }
    }

    private boolean foldsWithinBudget() {
        return stripes.isPresent() && stripes.getAsInt() <= lockBudget;
    }
}
