package dev.tributary;

import dev.tributary.internal.Arguments;
import dev.tributary.internal.StorableJson;
import java.util.Optional;
import java.util.Set;
import org.jooq.JSONB;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/** The default {@link PayloadCodec}: one class, one Jackson mapper. */
final class JsonCodec<P> implements PayloadCodec<P> {
    /** The digits of numeric before and after the point, the point, and a sign. */
    private static final int NUMERIC_LENGTH = 131_072 + 16_383 + 2;

    /** Reads whatever jsonb can hold: a sum has more digits than its terms, and a merge may put a value into an array. */
    static final JsonMapper DEFAULT_MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNumberLength(NUMERIC_LENGTH)
                            .maxNestingDepth(1_000)
                            .build())
                    .build())
            .build();

    private final Class<P> payload;
    private final JsonMapper mapper;

    JsonCodec(Class<P> payload, JsonMapper mapper) {
        this.payload = Arguments.notNull("the payload class", payload);
        this.mapper = Arguments.notNull("the JSON mapper", mapper);
    }

    @Override
    public String encode(P value) {
        return mapper.writeValueAsString(value);
    }

    @Override
    public P decode(String json) {
        return mapper.readValue(json, payload);
    }

    /** The names this mapper writes, whatever annotations and naming strategies say; empty: not known. */
    Optional<Set<String>> fields() {
        WrittenFields fields = new WrittenFields();
        try {
            mapper.acceptJsonFormatVisitor(payload, fields);
        } catch (JacksonException e) {
            // Enqueue will say what is wrong with the class.
            return Optional.empty();
        }
        return fields.names();
    }

    Class<P> payload() {
        return payload;
    }

    /** Any object as Jackson writes it; null is nothing, and not JSON's null. */
    static @Nullable JSONB written(String what, @Nullable Object object) {
        try {
            return object == null ? null : StorableJson.value(what, DEFAULT_MAPPER.writeValueAsString(object));
        } catch (JacksonException e) {
            throw new InvalidPayload(what + ": Jackson cannot write it", e);
        }
    }
}
