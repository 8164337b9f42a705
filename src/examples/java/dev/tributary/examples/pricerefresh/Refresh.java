package dev.tributary.examples.pricerefresh;

import dev.tributary.Backoff;
import dev.tributary.JobType;
import dev.tributary.Merge;
import java.time.Duration;
import java.util.List;

/** The payload of a job: the products of a catalogue whose prices are to be recalculated. */
record Refresh(String catalogId, List<String> productIds) {
    static final JobType<Refresh> PRICE_REFRESH = JobType.named("PRICE_REFRESH", Refresh.class)
            .onePendingPer(Refresh::catalogId)
            .merging(Merge.union("productIds"))
            .backoff(Backoff.exponential(Duration.ofMillis(20), Duration.ofSeconds(1)))
            .maxAttempts(50)
            .build();

    Refresh {
        productIds = List.copyOf(productIds);
    }
}
