package dev.tributary.examples.pricerefresh;

import dev.tributary.ReservedJob;
import dev.tributary.worker.JobHandler;
import dev.tributary.worker.Outcome;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Has the engine recalculate the products of a job. */
record RefreshHandler(RemoteEngine engine) implements JobHandler<Refresh> {
    @Override
    public Outcome handle(ReservedJob<Refresh> job) throws Exception {
        CompletableFuture<Optional<Refusal>> answer = engine.ask(job.id(), job.payload());
        return answer.get().map(refusal -> Outcome.refused(refusal.reason())).orElseGet(Outcome::done);
    }
}
