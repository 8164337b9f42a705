package dev.tributary;

import dev.tributary.internal.StorableJson;
import dev.tributary.internal.Text;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jooq.JSONB;
import org.jspecify.annotations.Nullable;

/** A payload that has passed every check. */
record Request(@Nullable String key, JSONB config) {
    static <P> Request of(JobType<P> type, @Nullable P payload) {
        return of(type, payload, type.name() + " payload");
    }

    /** All of them, or a refusal that names the place of the first that is not fit. */
    static <P> List<Request> all(JobType<P> type, List<P> payloads) {
        return IntStream.range(0, payloads.size())
                .mapToObj(i -> of(type, payloads.get(i), type.name() + " payload at index " + i))
                .toList();
    }

    private static <P> Request of(JobType<P> type, @Nullable P payload, String what) {
        if (payload == null) {
            throw new InvalidPayload(what + " is null");
        }
        Optional<String> key = keyOf(type, payload, what);
        String json = encoded(type, payload, what);
        int bytes = Text.bytes(json);
        if (bytes > type.maxPayloadBytes()) {
            throw new InvalidPayload(what + " has " + bytes + " bytes; the type allows " + type.maxPayloadBytes()
                    + " (maxPayloadBytes)");
        }
        return new Request(key.orElse(null), StorableJson.object(what, json, FieldMerge.fieldsOf(type)::check));
    }

    private static <P> Optional<String> keyOf(JobType<P> type, P payload, String what) {
        try {
            return type.key(payload);
        } catch (InvalidKey e) {
            throw new InvalidKey(what + ": " + e.getMessage());
        } catch (RuntimeException e) {
            throw new InvalidKey(what + ": the key function cannot make a key of it", e);
        }
    }

    private static <P> String encoded(JobType<P> type, P payload, String what) {
        String json;
        try {
            json = type.codec().encode(payload);
        } catch (RuntimeException e) {
            throw new InvalidPayload(what + ": the codec cannot encode it", e);
        }
        if (json == null) {
            throw new InvalidPayload(what + ": the codec returned null");
        }
        return json;
    }
}
