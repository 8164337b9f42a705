package dev.tributary.internal;

import dev.tributary.Merge;
import dev.tributary.Requeued;
import dev.tributary.internal.sql.CarryOver;
import dev.tributary.internal.sql.Fail;
import dev.tributary.internal.sql.MergeIntoPending;
import dev.tributary.internal.sql.Refused;
import dev.tributary.internal.sql.ReturnToPending;
import java.util.Optional;
import org.jooq.Record1;
import org.jspecify.annotations.Nullable;

/** The way back to PENDING of a reserved job: merge; if there is nothing to merge into, return; if that collides, carry over. */
public final class Requeue {
    private final Steps steps;

    public Requeue(Steps steps) {
        this.steps = steps;
    }

    /** The job has no attempt left: it fails instead. */
    public Requeued exhaust(Refused job) {
        int rows = steps.run(tx -> tx.execute(Fail.query(job.id(), job.token(), job.reason())));
        return rows == 1 ? new Requeued.Exhausted(job.id()) : new Requeued.LeaseLost(job.id());
    }

    /**
     * @param key the key the job was enqueued with
     * @param merge how its type merges; empty: the type has no keys (any more)
     */
    public Requeued putBack(Refused job, @Nullable String key, Optional<Merge> merge) {
        if (merge.isEmpty()) {
            return returned(job, steps.run(tx -> tx.execute(ReturnToPending.withoutKey(job))));
        }
        if (key == null) {
            return returned(job, steps.run(tx -> tx.execute(ReturnToPending.query(job))));
        }
        return steps.run(tx -> tx.fetchOptional(MergeIntoPending.query(job, merge.get())))
                .map(absorbing -> merged(job, absorbing))
                .or(() -> steps.runUnlessTaken(tx -> tx.execute(ReturnToPending.query(job)))
                        .map(rows -> returned(job, rows)))
                .or(() -> steps.run(tx -> tx.fetchOptional(CarryOver.query(job, merge.get())))
                        .map(absorbing -> merged(job, absorbing)))
                .orElseGet(() -> new Requeued.LeaseLost(job.id()));
    }

    private static Requeued merged(Refused job, Record1<Long> absorbing) {
        return new Requeued.MergedInto(job.id(), absorbing.value1());
    }

    private static Requeued returned(Refused job, int rows) {
        return rows == 1 ? new Requeued.Returned(job.id()) : new Requeued.LeaseLost(job.id());
    }
}
