package dev.tributary.support;

import dev.tributary.PayloadCodec;

/** JSON text as a payload, stored as it is given. */
public final class RawJson implements PayloadCodec<String> {
    public static final PayloadCodec<String> CODEC = new RawJson();

    private RawJson() {}

    @Override
    public String encode(String payload) {
        return payload;
    }

    @Override
    public String decode(String json) {
        return json;
    }
}
