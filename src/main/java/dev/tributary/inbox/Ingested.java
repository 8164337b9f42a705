package dev.tributary.inbox;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * What became of the events of a call, each named by its business key, in the order of the call.
 *
 * @param accepted new ones, which are stored now
 * @param duplicates those whose key was stored before, or by an earlier event of the call; nothing was changed for them
 * @param differing those of the duplicates whose payload is not the one that is stored. Compared by value: order of fields,
 *     white space and the way a number is written do not count
 */
public record Ingested(List<String> accepted, List<String> duplicates, List<String> differing) {
    public Ingested {
        accepted = List.copyOf(accepted);
        duplicates = List.copyOf(duplicates);
        differing = List.copyOf(differing);
    }

    static Ingested of(List<Classified> batches) {
        return new Ingested(
                keys(batches, Classified::accepted),
                keys(batches, Classified::duplicates),
                keys(batches, Classified::differing));
    }

    private static List<String> keys(List<Classified> batches, Function<Classified, List<Delivery>> kind) {
        return batches.stream()
                .flatMap(batch -> kind.apply(batch).stream())
                .sorted(Comparator.comparing(Delivery::index))
                .map(Delivery::key)
                .toList();
    }
}
