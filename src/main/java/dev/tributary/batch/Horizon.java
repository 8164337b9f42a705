package dev.tributary.batch;

import dev.tributary.internal.Steps;
import dev.tributary.internal.sql.Position;
import dev.tributary.internal.sql.RunningTransactions;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jooq.DSLContext;

/**
 * How far a keyset can be walked without passing over a row that commits later. The last row is looked up first, then which
 * transactions run. A transaction that commits a lower key after that has taken the key before, so it is one of them; when these
 * have ended, all that will ever be there up to that row can be seen. The oldest running transaction
 * ({@code pg_snapshot_xmin}) would not do: one that has not written yet has no id to be seen by, and may have taken its key.
 */
final class Horizon {
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final int LOOKS = 50;

    private final CursorPlace place;
    private final Steps transactions;
    private final Stop stop;
    private Optional<Position> settled = Optional.empty();
    private Optional<Position> pending = Optional.empty();
    private Set<String> open = Set.of();

    Horizon(CursorPlace place, Steps transactions, Stop stop) {
        this.place = place;
        this.transactions = transactions;
        this.stop = stop;
    }

    /** The row up to which it is safe; empty if that is known of none. */
    Optional<Position> settled() {
        return settled;
    }

    boolean isHeldBack() {
        return pending.isPresent();
    }

    /** As far as it goes within a second. */
    void move() {
        if (pending.isPresent()) {
            look();
        } else {
            begin();
        }
        for (int looks = 0; pending.isPresent() && looks < LOOKS && pause(); looks++) {
            look();
        }
    }

    private record Sight(Optional<Position> last, Set<String> open) {}

    private void begin() {
        Sight sight = transactions.run(tx -> new Sight(place.last(tx), runningAfter(tx)));
        if (!sight.last().equals(settled)) {
            pending = sight.last();
            settleOnce(sight.open());
        }
    }

    private void look() {
        settleOnce(transactions.run(this::stillOpen));
    }

    private void settleOnce(Set<String> stillOpen) {
        open = stillOpen;
        if (open.isEmpty()) {
            settled = pending;
            pending = Optional.empty();
        }
    }

    private static Set<String> runningAfter(DSLContext tx) {
        Set<String> running = sessions(tx);
        running.addAll(prepared(tx));
        return running;
    }

    /** Who left the sessions may be prepared now: from then on, all that are prepared at that time are waited for. */
    private Set<String> stillOpen(DSLContext tx) {
        Set<String> sessions = sessions(tx);
        Set<String> prepared = prepared(tx);
        Set<String> still = new HashSet<>(open);
        boolean left = still.removeIf(each -> isOfASession(each) && !sessions.contains(each));
        still.removeIf(each -> !isOfASession(each) && !prepared.contains(each));
        if (left) {
            still.addAll(prepared);
        }
        return still;
    }

    private static boolean isOfASession(String transaction) {
        return transaction.contains("/");
    }

    private static Set<String> sessions(DSLContext tx) {
        return new HashSet<>(tx.fetchValues(RunningTransactions.ofSessions()));
    }

    private static Set<String> prepared(DSLContext tx) {
        return new HashSet<>(tx.fetchValues(RunningTransactions.prepared()));
    }

    private boolean pause() {
        try {
            return stop.pause(LOOK);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
