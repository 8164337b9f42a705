package dev.tributary.examples.pricerefresh;

import dev.tributary.inbox.Event;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a supplier says: the prices of these products have changed. */
record FeedEvent(String eventId, Instant at, String catalogId, List<String> productIds) {
    private static final JsonMapper STRICT = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    Refresh refresh() {
        return new Refresh(catalogId, productIds);
    }

    /** As the inbox takes it. */
    Event event() {
        return new Event(eventId, STRICT.writeValueAsString(this));
    }

    static FeedEvent parse(String json) throws BadLine {
        JsonNode event = tree(json);
        return new FeedEvent(
                text(event, "eventId"), instant(text(event, "at")), text(event, "catalogId"), productIds(event));
    }

    private static JsonNode tree(String json) throws BadLine {
        try {
            JsonNode tree = STRICT.readTree(json);
            if (!tree.isObject()) {
                throw new BadLine(tree.isMissingNode() ? "blank" : "not a JSON object");
            }
            return tree;
        } catch (JacksonException e) {
            throw new BadLine("not JSON: " + e.getOriginalMessage());
        }
    }

    private static List<String> productIds(JsonNode event) throws BadLine {
        JsonNode ids = event.path("productIds");
        if (!ids.isArray()) {
            throw new BadLine(ids.isMissingNode() ? "no productIds" : "productIds is not an array");
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode id : ids) {
            texts.add(text(id, "productIds[" + texts.size() + "]", id.isString()));
        }
        return texts;
    }

    private static String text(JsonNode event, String field) throws BadLine {
        JsonNode value = event.path(field);
        if (value.isMissingNode()) {
            throw new BadLine("no " + field);
        }
        return text(value, field, value.isString());
    }

    private static String text(JsonNode value, String name, boolean isString) throws BadLine {
        if (!isString) {
            throw new BadLine(name + " is not a string");
        }
        String text = value.stringValue();
        if (text.isBlank()) {
            throw new BadLine(name + " is empty");
        }
        if (text.indexOf('\0') >= 0) {
            throw new BadLine(name + " holds U+0000");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new BadLine(name + " holds a lone surrogate");
        }
        return text;
    }

    private static Instant instant(String text) throws BadLine {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw new BadLine("at is not a time: " + text);
        }
    }
}
