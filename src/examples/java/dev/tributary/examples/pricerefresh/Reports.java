package dev.tributary.examples.pricerefresh;

import dev.tributary.Requeued;
import dev.tributary.Settled;
import dev.tributary.examples.common.Rounds;
import dev.tributary.worker.WorkerListener;
import org.jooq.exception.DataAccessException;

/** Tells the service what the worker does, for the table at the end. A service of your own needs none of this. */
record Reports(RemoteEngine to) implements WorkerListener {
    @Override
    public void reserved(Reserved event) {
        count(Count.RESERVED);
    }

    @Override
    public void ended(Ended event) {
        count(event.settled() == Settled.DONE ? Count.COMPLETED : Count.LEASE_LOST);
    }

    @Override
    public void putBack(PutBack event) {
        putBack(event.requeued());
        if (event.requeued() instanceof Requeued.MergedInto merged) {
            to.say(new Message.Merged(merged.jobId(), merged.intoJobId()));
        }
    }

    @Override
    public void rescued(Rescue event) {
        count(Count.RESCUED);
        putBack(event.requeued());
    }

    @Override
    public void trouble(Trouble event) {
        Throwable cause = event.cause();
        String reason = cause instanceof DataAccessException error ? Rounds.reason(error) : String.valueOf(cause);
        to.say(new Message.Complaint("worker, " + event.doing() + ": " + reason));
    }

    private void putBack(Requeued answer) {
        if (answer instanceof Requeued.Returned) {
            count(Count.RETURNED);
        } else if (answer instanceof Requeued.MergedInto) {
            count(Count.MERGED_ON_REQUEUE);
        } else if (answer instanceof Requeued.Exhausted) {
            count(Count.EXHAUSTED);
        } else {
            count(Count.LEASE_LOST);
        }
    }

    private void count(Count what) {
        to.say(new Message.Happened(what));
    }
}
