package dev.tributary;

import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.least;
import static org.jooq.impl.DSL.nullif;

import dev.tributary.internal.sql.Json;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Set;
import org.jooq.Field;
import org.jooq.JSONB;
import tools.jackson.core.JsonToken;

/** What is done with one field of two payloads. SQL NULL stands for an absent field, on the way in and out. */
enum FieldRule {
    UNION("an array", JsonToken.START_ARRAY) {
        @Override
        Field<JSONB> merge(Field<JSONB> older, Field<JSONB> newer) {
            return Json.union(older, newer);
        }
    },
    CONCAT("an array", JsonToken.START_ARRAY) {
        @Override
        Field<JSONB> merge(Field<JSONB> older, Field<JSONB> newer) {
            return Json.concat(Json.asArray(older), Json.asArray(newer));
        }
    },
    SUM("a number", JsonToken.VALUE_NUMBER_INT, JsonToken.VALUE_NUMBER_FLOAT) {
        @Override
        Field<JSONB> merge(Field<JSONB> older, Field<JSONB> newer) {
            Field<BigDecimal> left = Json.asNumber(older);
            Field<BigDecimal> right = Json.asNumber(newer);
            // Adding is null if one side is no number; then the number that is there, then whatever is there.
            return coalesce(Json.of(coalesce(left.plus(right), left, right)), newer, older);
        }
    },
    MIN("a number or a string", JsonToken.VALUE_NUMBER_INT, JsonToken.VALUE_NUMBER_FLOAT, JsonToken.VALUE_STRING) {
        @Override
        Field<JSONB> merge(Field<JSONB> older, Field<JSONB> newer) {
            // least and greatest ignore SQL NULL, but would order JSON null below every value.
            return least(nullif(older, JSON_NULL), nullif(newer, JSON_NULL));
        }
    },
    MAX("a number or a string", JsonToken.VALUE_NUMBER_INT, JsonToken.VALUE_NUMBER_FLOAT, JsonToken.VALUE_STRING) {
        @Override
        Field<JSONB> merge(Field<JSONB> older, Field<JSONB> newer) {
            return greatest(nullif(older, JSON_NULL), nullif(newer, JSON_NULL));
        }
    },
    LATEST("any value") {
        @Override
        Field<JSONB> merge(Field<JSONB> older, Field<JSONB> newer) {
            return coalesce(newer, older);
        }
    },
    EARLIEST("any value") {
        @Override
        Field<JSONB> merge(Field<JSONB> older, Field<JSONB> newer) {
            return coalesce(older, newer);
        }
    };

    private static final Field<JSONB> JSON_NULL = inline(JSONB.jsonb("null"));

    /** What a payload may hold in such a field, beside null. */
    final String takes;

    private final Set<JsonToken> tokens;

    FieldRule(String takes, JsonToken... tokens) {
        this.takes = takes;
        this.tokens = Set.of(tokens);
    }

    abstract Field<JSONB> merge(Field<JSONB> older, Field<JSONB> newer);

    /** As the method of {@link Merge} is called. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether a value that begins with the token may be enqueued in such a field. */
    boolean accepts(JsonToken token) {
        return tokens.isEmpty() || token == JsonToken.VALUE_NULL || tokens.contains(token);
    }
}
