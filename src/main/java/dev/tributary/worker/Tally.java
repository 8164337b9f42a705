package dev.tributary.worker;

import dev.tributary.Requeued;
import dev.tributary.Settled;

/** Counts what became of the jobs of a round. */
final class Tally {
    private int completed;
    private int refused;
    private int failed;
    private int leasesLost;

    void ended(Outcome outcome, Settled settled) {
        if (settled == Settled.LEASE_LOST) {
            leasesLost++;
        } else if (outcome instanceof Outcome.Failed) {
            failed++;
        } else {
            completed++;
        }
    }

    void putBack(Requeued requeued) {
        if (requeued instanceof Requeued.LeaseLost) {
            leasesLost++;
        } else if (requeued instanceof Requeued.Exhausted) {
            failed++;
        } else {
            refused++;
        }
    }

    Round round(int rescued, int reserved) {
        return new Round(rescued, reserved, completed, refused, failed, leasesLost);
    }
}
