package dev.tributary.inbox;

import dev.tributary.InvalidPayload;
import dev.tributary.internal.StorableJson;
import dev.tributary.internal.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jooq.JSONB;
import org.jspecify.annotations.Nullable;

/**
 * An event that has passed every check.
 *
 * @param index its place in the call, from 0
 */
record Delivery(int index, Event event, String key, JSONB payload) {
    private static final int MOST_BYTES = 16 * 1024 * 1024;

    /** All that are fit, in the order of the call; the first that is not is refused, or each is skipped if somebody is told. */
    static List<Delivery> all(List<Event> events, Optional<InvalidEventListener> skipped) {
        List<Delivery> deliveries = new ArrayList<>(events.size());
        int index = 0;
        for (Event event : events) {
            try {
                deliveries.add(of(index++, event));
            } catch (InvalidEvent invalid) {
                skipped.orElseThrow(() -> invalid).skipped(invalid);
            }
        }
        return deliveries;
    }

    int characters() {
        return key.length() + payload.data().length();
    }

    private static Delivery of(int index, @Nullable Event event) {
        if (event == null) {
            throw new InvalidEvent(index, null, "it is null", null);
        }
        String key = event.businessKey();
        String json = event.payloadJson();
        flaw(key, json).ifPresent(flaw -> {
            throw new InvalidEvent(index, event, flaw, null);
        });
        try {
            return new Delivery(index, event, key, StorableJson.value("the payload", json));
        } catch (InvalidPayload e) {
            throw new InvalidEvent(index, event, String.valueOf(e.getMessage()), e);
        }
    }

    private static Optional<String> flaw(@Nullable String key, @Nullable String json) {
        if (key == null || key.isEmpty()) {
            return Optional.of("the business key is " + (key == null ? "null" : "empty"));
        }
        Optional<String> flaw = Text.keyFlaw("business key", key);
        if (flaw.isPresent() || json == null) {
            return flaw.or(() -> Optional.of("the payload is null"));
        }
        int bytes = Text.bytes(json);
        return bytes > MOST_BYTES
                ? Optional.of("the payload has at most " + MOST_BYTES + " bytes, this one " + bytes)
                : Optional.empty();
    }
}
