package dev.tributary.examples.trustscore;

import dev.tributary.batch.BatchListener;
import dev.tributary.batch.Progress;
import dev.tributary.examples.common.Rounds;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import me.tongfei.progressbar.ProgressBar;
import org.jooq.exception.DataAccessException;

/**
 * Says what the daemon tells, and mends the rows it complains of. It mends on the daemon's thread, so that the next run finds the
 * rows mended; a listener of your own tells somebody and is quick.
 */
final class Operator implements BatchListener {
    private final Ads ads;
    private final ProgressBar bar;
    private final Consumer<String> says;
    private final CompletableFuture<Void> end;
    private final AtomicInteger runs = new AtomicInteger();
    private final AtomicInteger idleRuns = new AtomicInteger();

    /** @param end completed when no row waits */
    Operator(Ads ads, ProgressBar bar, Consumer<String> says, CompletableFuture<Void> end) {
        this.ads = ads;
        this.bar = bar;
        this.says = says;
        this.end = end;
    }

    @Override
    public void advanced(Advanced event) {
        Progress progress = event.progress();
        bar.stepTo(progress.doneInAll());
        bar.setExtraMessage(Screen.padded(progress.toString()));
        runs.incrementAndGet();
        if (progress.done() == 0) {
            idleRuns.incrementAndGet();
        }
        if (progress.waitingCounted() && progress.waiting() == 0) {
            end.complete(null);
        }
    }

    @Override
    public void rowSetAside(RowSetAside event) {
        says.accept("SET ASIDE: row " + event.key() + " cannot be written: " + reason(event.cause()));
        mend(List.of(event.key()));
    }

    @Override
    public void stayed(Stayed event) {
        says.accept("STAYED: " + event.stay());
    }

    @Override
    public void stalled(Stalled event) {
        says.accept("STALLED: " + event.stall());
        mend(event.stall().keys());
    }

    @Override
    public void recovered(Recovered event) {
        says.accept("RECOVERED: " + event.progress());
    }

    @Override
    public void trouble(Trouble event) {
        says.accept("TROUBLE: " + reason(event.cause()));
    }

    private void mend(List<String> keys) {
        ads.mend(keys);
        says.accept("mended: " + String.join(", ", keys));
    }

    private static String reason(Throwable cause) {
        return cause instanceof DataAccessException error ? Rounds.reason(error) : String.valueOf(cause);
    }

    int runs() {
        return runs.get();
    }

    int idleRuns() {
        return idleRuns.get();
    }
}
