package dev.tributary.batch;

import dev.tributary.internal.sql.RowKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Sees that the same rows stay sweep after sweep; says so once, and again when none did for a sweep. */
final class Stayers {
    /** In the order of their keys, so that those of two sweeps are the same ones. */
    private static final int MOST = 1_000;

    private Set<RowKey> before = Set.of();
    private final Map<RowKey, Stall.Reason> now = new LinkedHashMap<>();
    private boolean told;

    /** What there is to tell after a batch: it was the last of a sweep, and rows stayed for the second time. */
    Optional<Stay> after(Batch batch) {
        note(batch.failed().stream().map(FailedRow::key).toList(), Stall.Reason.WRITE_FAILS);
        note(batch.stayed(), Stall.Reason.STILL_IN_SET);
        if (!batch.ended()) {
            return Optional.empty();
        }
        List<RowKey> again = now.keySet().stream().filter(before::contains).toList();
        Optional<Stay> stay = again.isEmpty() || told ? Optional.empty() : Optional.of(stay(again));
        told = !again.isEmpty();
        before = Set.copyOf(now.keySet());
        now.clear();
        return stay;
    }

    private void note(List<RowKey> rows, Stall.Reason reason) {
        rows.stream().limit(MOST - now.size()).forEach(row -> now.put(row, reason));
    }

    private Stay stay(List<RowKey> rows) {
        return new Stay(
                rows.size(),
                now.get(rows.get(0)),
                rows.stream().limit(Stall.SAMPLE).map(RowKey::toString).toList());
    }
}
