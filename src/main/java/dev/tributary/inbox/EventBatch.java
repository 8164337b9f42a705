package dev.tributary.inbox;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.JSONB;

/**
 * Deliveries that are stored in one transaction.
 *
 * @param firsts each of another key
 * @param repeats of keys of the firsts, in the order of the call
 */
record EventBatch(List<Delivery> firsts, List<Delivery> repeats) {
    /** So much text goes into one statement; a delivery may be longer alone. */
    private static final long MOST_CHARACTERS = 16L * 1024 * 1024;

    /** All of them in one. */
    static EventBatch whole(List<Delivery> deliveries) {
        return slices(deliveries, Integer.MAX_VALUE, Long.MAX_VALUE).get(0);
    }

    /** All of them in the order of the call, a repeated key with its first delivery. */
    static List<EventBatch> slices(List<Delivery> deliveries, int mostKeys) {
        return slices(deliveries, mostKeys, MOST_CHARACTERS);
    }

    private static List<EventBatch> slices(List<Delivery> deliveries, int mostKeys, long mostCharacters) {
        Map<String, List<Delivery>> ofKeys = deliveries.stream()
                .collect(Collectors.groupingBy(Delivery::key, LinkedHashMap::new, Collectors.toList()));
        List<EventBatch> slices = new ArrayList<>();
        EventBatch slice = new EventBatch(new ArrayList<>(), new ArrayList<>());
        long characters = 0;
        for (List<Delivery> ofKey : ofKeys.values()) {
            long more = ofKey.stream().mapToLong(Delivery::characters).sum();
            if (slice.firsts.size() == mostKeys || (characters > 0 && characters + more > mostCharacters)) {
                slices.add(slice);
                slice = new EventBatch(new ArrayList<>(), new ArrayList<>());
                characters = 0;
            }
            slice.firsts.add(ofKey.get(0));
            slice.repeats.addAll(ofKey.subList(1, ofKey.size()));
            characters += more;
        }
        slices.add(slice);
        return slices;
    }

    static String[] keys(List<Delivery> deliveries) {
        return deliveries.stream().map(Delivery::key).toArray(String[]::new);
    }

    static JSONB[] payloads(List<Delivery> deliveries) {
        return deliveries.stream().map(Delivery::payload).toArray(JSONB[]::new);
    }

    /** Those of its deliveries that are the first of a key that was new. */
    List<Delivery> accepted(Set<String> newKeys) {
        return firsts.stream().filter(first -> newKeys.contains(first.key())).toList();
    }

    /** The others, in the order of the call. */
    List<Delivery> duplicates(Set<String> newKeys) {
        return Stream.concat(firsts.stream().filter(first -> !newKeys.contains(first.key())), repeats.stream())
                .sorted(Comparator.comparing(Delivery::index))
                .toList();
    }
}
