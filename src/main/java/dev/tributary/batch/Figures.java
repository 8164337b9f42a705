package dev.tributary.batch;

import dev.tributary.internal.sql.RowKey;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** What is counted: rows that left the set, and how many are still in it. */
final class Figures {
    private static final double MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanos;
    private long selectedInRun;
    private long doneInRun;
    private long failedInRun;
    private final List<RowKey> failed = new ArrayList<>();
    private long doneInAll;
    private final List<RowKey> stayed = new ArrayList<>();
    private OptionalLong counted = OptionalLong.empty();
    private long doneWhenCounted;
    private OptionalLong ratedAt = OptionalLong.empty();
    private long doneWhenRated;

    Figures(LongSupplier nanos) {
        this.nanos = nanos;
    }

    void begin() {
        selectedInRun = 0;
        doneInRun = 0;
        failedInRun = 0;
        stayed.clear();
        failed.clear();
        if (ratedAt.isEmpty()) {
            ratedAt = OptionalLong.of(nanos.getAsLong());
        }
    }

    void add(Batch batch) {
        selectedInRun += batch.selected();
        doneInRun += batch.done();
        failedInRun += batch.failed().size();
        doneInAll += batch.done();
        sample(batch.stayed(), stayed);
        sample(batch.failed().stream().map(FailedRow::key).toList(), failed);
    }

    private static void sample(List<RowKey> rows, List<RowKey> sample) {
        rows.stream().limit(Stall.SAMPLE - sample.size()).forEach(sample::add);
    }

    /** From now on, the rows still to do are so many, less those that leave. */
    void count(long waiting) {
        counted = OptionalLong.of(waiting);
        doneWhenCounted = doneInAll;
    }

    /** As long as nothing was counted, the rows that were seen and stayed. */
    long waiting() {
        return counted.isPresent()
                ? Math.max(0, counted.getAsLong() - (doneInAll - doneWhenCounted))
                : selectedInRun - doneInRun;
    }

    /** Whether any row left the set in this run. */
    boolean anyLeft() {
        return doneInRun > 0;
    }

    /** Some of the rows that stayed in the set in this run. */
    List<RowKey> stayed() {
        return stayed;
    }

    /** Some of the rows that could not be written in this run. */
    List<RowKey> failed() {
        return failed;
    }

    Progress progress(boolean waitingCounted, boolean stalled) {
        return new Progress(
                selectedInRun, doneInRun, waiting(), rate(), stalled, waitingCounted, doneInAll, failedInRun);
    }

    private double rate() {
        long now = nanos.getAsLong();
        long elapsed = Math.max(1, now - ratedAt.orElse(now));
        double rate = (doneInAll - doneWhenRated) * (MINUTE / elapsed);
        ratedAt = OptionalLong.of(now);
        doneWhenRated = doneInAll;
        return rate;
    }
}
