package dev.tributary.examples.pricerefresh;

import dev.tributary.Job;
import dev.tributary.JobStatus;
import dev.tributary.Requeued;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * Holds what was asked for against what the engine did. A request is met if the job that carried it, or one that this job
 * was merged into, was reserved after the request and its product then recalculated.
 *
 * <p>Moments are taken before a request and after a reservation, so a request that a reservation carried is never the later.
 */
final class Ledger {
    /** The job that carries a request since a moment. */
    private record Carrier(long jobId, long since) {}

    private final AtomicLong clock = new AtomicLong();
    /** By job and product, the latest moment of each. */
    private final Map<Long, Map<Product, Long>> requested = new HashMap<>();

    private final Map<Long, Map<Product, Long>> recalculated = new HashMap<>();
    private final Map<Long, Carrier> mergedInto = new HashMap<>();

    /** A moment later than all before. */
    long now() {
        return clock.incrementAndGet();
    }

    /** @param before a moment before the enqueue */
    synchronized void requested(Refresh refresh, long jobId, long before) {
        note(requested, jobId, refresh.catalogId(), refresh.productIds(), before);
    }

    /** @param before a moment before the requeue or rescue */
    synchronized void requeued(Requeued answer, long before) {
        if (answer instanceof Requeued.MergedInto into) {
            mergedInto.put(into.jobId(), new Carrier(into.intoJobId(), before));
        }
    }

    /** @param reserved a moment after the job was reserved and before the engine was asked */
    synchronized void recalculated(long jobId, String catalogId, List<String> productIds, long reserved) {
        note(recalculated, jobId, catalogId, productIds, reserved);
    }

    private static void note(
            Map<Long, Map<Product, Long>> notes,
            long jobId,
            String catalogId,
            Collection<String> productIds,
            long moment) {
        Map<Product, Long> ofJob = notes.computeIfAbsent(jobId, id -> new HashMap<>());
        productIds.forEach(id -> ofJob.merge(new Product(catalogId, id), moment, Math::max));
    }

    /** @param find reads a job from the database, to tell what waits from what is lost */
    synchronized Balance balance(LongFunction<Optional<Job>> find) {
        Map<Long, Optional<Job>> jobs = new HashMap<>();
        Map<Product, Fate> fates = new HashMap<>();
        requested.forEach((jobId, products) -> products.forEach((product, moment) -> fates.merge(
                product, fate(product, jobId, moment, id -> jobs.computeIfAbsent(id, find::apply)), Fate::worse)));
        return Balance.of(fates.values());
    }

    private Fate fate(Product product, long firstJobId, long requestedAt, LongFunction<Optional<Job>> find) {
        Carrier at = new Carrier(firstJobId, requestedAt);
        Set<Long> passed = new HashSet<>();
        while (passed.add(at.jobId())) {
            Long reserved = recalculated.getOrDefault(at.jobId(), Map.of()).get(product);
            if (reserved != null && reserved > at.since()) {
                return Fate.RECALCULATED;
            }
            Optional<Carrier> next = next(at, find);
            if (next.isEmpty()) {
                return find.apply(at.jobId()).map(job -> unmet(product, job)).orElse(Fate.LOST);
            }
            at = next.get();
        }
        return Fate.LOST;
    }

    /** As the queue answered; if a connection broke and its answer did not arrive, as the row tells. */
    private Optional<Carrier> next(Carrier at, LongFunction<Optional<Job>> find) {
        return Optional.ofNullable(mergedInto.get(at.jobId()))
                .or(() -> find.apply(at.jobId()).map(Job::mergedIntoJobId).map(into -> new Carrier(into, at.since())));
    }

    private static Fate unmet(Product product, Job job) {
        Refresh carried = Refresh.PRICE_REFRESH.codec().decode(job.payloadJson());
        if (!carried.catalogId().equals(product.catalogId())
                || !carried.productIds().contains(product.productId())) {
            return Fate.LOST;
        }
        if (job.status() == JobStatus.PENDING || job.status() == JobStatus.RUNNING) {
            return Fate.WAITING;
        }
        return job.status() == JobStatus.FAILED ? Fate.FAILED : Fate.LOST;
    }
}
