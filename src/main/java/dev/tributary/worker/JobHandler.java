package dev.tributary.worker;

import dev.tributary.ReservedJob;

/**
 * Does the work of a job. No transaction is open while it runs. It runs at least once for each job: a worker that dies after
 * the work and before the job is settled is rescued, and the job runs again.
 *
 * @param <P> the payload
 */
@FunctionalInterface
public interface JobHandler<P> {
    /**
     * Handles a job.
     *
     * @param job reserved; renewed while this runs, until {@link ReservedJob#leaseLost} says otherwise
     * @return what became of it; null counts as refused
     * @throws Exception or an Error: counts as refused, with its text as the reason
     */
    Outcome handle(ReservedJob<P> job) throws Exception;
}
