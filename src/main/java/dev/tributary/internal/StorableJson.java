package dev.tributary.internal;

import dev.tributary.InvalidPayload;
import java.math.BigDecimal;
import org.jooq.JSONB;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * JSON that {@code jsonb} stores without an error and without a loss
 * (<a href="https://www.postgresql.org/docs/18/datatype-json.html">JSON Types</a>), and that readers of JSON take back: no
 * U+0000, no lone surrogate, no number that becomes endless without its exponent, and no field named twice, of which
 * jsonb would keep only the last.
 */
public final class StorableJson {
    /** jsonb writes numbers without an exponent, and Jackson by default reads 1,000 digits: sums still have room. */
    public static final int NUMBER_DIGITS = 900;

    /** No number of so few digits is longer, but for one padded with zeros; and long ones are slow to parse. */
    private static final int NUMBER_CHARACTERS = 10_000;

    private static final JsonFactory STRICT = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            // Refused here, with the path.
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private StorableJson() {}

    /** Told of each field of an object, before its value is looked at. */
    public interface Fields {
        /** @throws InvalidPayload if the field must not have a value that begins so */
        void check(String what, String field, JsonToken value);
    }

    /**
     * A JSON object.
     *
     * @param what names it in messages
     * @throws InvalidPayload with the path and the reason
     */
    public static JSONB object(String what, String json, Fields fields) {
        return check(what, json, true, fields);
    }

    /**
     * Any JSON value.
     *
     * @param what names it in messages
     * @throws InvalidPayload with the path and the reason
     */
    public static JSONB value(String what, String json) {
        return check(what, json, false, (of, field, value) -> {});
    }

    private static JSONB check(String what, String json, boolean object, Fields fields) {
        try (JsonParser parser = STRICT.createParser(ObjectReadContext.empty(), json)) {
            JsonToken first = parser.nextToken();
            if (first == null && !object) {
                throw new InvalidPayload(what + ": not JSON but nothing");
            }
            if (first == null || (object && first != JsonToken.START_OBJECT)) {
                throw new InvalidPayload(
                        what + ": not a JSON object but " + (first == null ? "nothing" : named(first)));
            }
            boolean ended = false;
            for (JsonToken token = first; token != null; token = parser.nextToken()) {
                if (ended) {
                    throw new InvalidPayload(what + ": more than one JSON value, the second is " + named(token));
                }
                checkToken(what, parser, token);
                ended = parser.streamReadContext().inRoot();
                if (parser.streamReadContext().getParent() != null && isFieldOfRoot(parser, token)) {
                    fields.check(what, parser.currentName(), token);
                }
            }
            return JSONB.jsonb(json);
        } catch (JacksonException e) {
            throw new InvalidPayload(what + ": " + e.getOriginalMessage(), e);
        }
    }

    /** Whether the parser stands on the value of a field of the outermost object. */
    private static boolean isFieldOfRoot(JsonParser parser, JsonToken token) {
        if (token == JsonToken.PROPERTY_NAME || token.isStructEnd() || parser.currentName() == null) {
            return false;
        }
        // Opening a structure has already pushed its own context.
        int depth = parser.streamReadContext().getNestingDepth() - (token.isStructStart() ? 1 : 0);
        return depth == 1;
    }

    private static void checkToken(String what, JsonParser parser, JsonToken token) {
        switch (token) {
            case PROPERTY_NAME, VALUE_STRING ->
                Text.flaw(parser.getString()).ifPresent(flaw -> {
                    throw new InvalidPayload(what + ": " + flaw + " in " + path(parser));
                });
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                if (!isShort(parser.getString())) {
                    throw new InvalidPayload(what + ": a number of more than " + NUMBER_DIGITS
                            + " digits, written without an exponent, in " + path(parser));
                }
            }
            default -> {}
        }
    }

    private static boolean isShort(String text) {
        if (text.length() > NUMBER_CHARACTERS) {
            return false;
        }
        try {
            BigDecimal number = new BigDecimal(text);
            long integer = Math.max(1, (long) number.precision() - number.scale());
            return integer + Math.max(0, number.scale()) <= NUMBER_DIGITS;
        } catch (NumberFormatException e) {
            // An exponent beyond that of BigDecimal itself.
            return false;
        }
    }

    /** A value that begins with the token, in words. */
    public static String named(JsonToken token) {
        return switch (token) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "an array";
            case VALUE_STRING -> "a string";
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
            default -> token.asString();
        };
    }

    private static String path(JsonParser parser) {
        return parser.streamReadContext().pathAsPointer().toString();
    }
}
