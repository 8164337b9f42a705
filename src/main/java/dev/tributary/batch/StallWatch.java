package dev.tributary.batch;

import java.util.Optional;

/** Sees that nothing moves although rows wait; says so once, and once that it is over. */
final class StallWatch {
    private static final int RUNS = 2;

    private final Walk walk;
    private int runsWithoutProgress;
    private boolean stalled;

    StallWatch(Walk walk) {
        this.walk = walk;
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
        Optional<Stall> stall = walk.stall(run);
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
}
