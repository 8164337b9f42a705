package dev.tributary;

import tools.jackson.databind.json.JsonMapper;

/**
 * Turns payloads into JSON objects and back. Must be safe for use by several threads.
 *
 * @param <P> the payload
 */
public interface PayloadCodec<P> {
    /**
     * The payload as the text of a JSON object.
     *
     * @param payload never null
     * @return what is stored; it is checked before it is sent, see {@link InvalidPayload}
     */
    String encode(P payload);

    /**
     * The payload back from JSON. The text is PostgreSQL's rendering of the stored {@code jsonb}: the same data, but
     * spacing and the order of fields may differ from what was encoded, and numbers have no exponent. A number that was
     * enqueued has at most 900 digits; a sum may have more, up to 900 before the decimal point, 900 after it, and as many
     * as the sum has grown by.
     *
     * @param json the text of a JSON object, never null
     */
    P decode(String json);

    /** Jackson with its defaults: unknown fields are ignored when decoding. It reads numbers of any length. */
    static <P> PayloadCodec<P> json(Class<P> payload) {
        return json(payload, JsonCodec.DEFAULT_MAPPER);
    }

    /** Jackson with a mapper of the caller's, whose own limits apply; Jackson's default is 1,000 digits a number. */
    static <P> PayloadCodec<P> json(Class<P> payload, JsonMapper mapper) {
        return new JsonCodec<>(payload, mapper);
    }
}
