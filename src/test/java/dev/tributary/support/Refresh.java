package dev.tributary.support;

import dev.tributary.Backoff;
import dev.tributary.JobType;
import dev.tributary.Merge;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The payload of the seed: the products of a catalogue that are to be recalculated. */
public record Refresh(String catalogId, List<String> productIds) {
    public static final Duration LEASE = Duration.ofMinutes(5);

    public static final JobType<Refresh> TYPE = type("PRICE_REFRESH", Backoff.none());

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** One pending job per catalogue, the union of the products. */
    public static JobType<Refresh> type(String name, Backoff backoff) {
        return JobType.named(name, Refresh.class)
                .onePendingPer(Refresh::catalogId)
                .merging(Merge.union("productIds"))
                .backoff(backoff)
                .build();
    }

    public static Refresh of(String catalogId, String... productIds) {
        return new Refresh(catalogId, Arrays.asList(productIds));
    }

    /** The product ids in a stored payload, in order. */
    public static List<String> ids(String payloadJson) {
        return JSON.readTree(payloadJson)
                .get("productIds")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }
}
