package dev.tributary;

import static dev.tributary.Merge.latest;
import static dev.tributary.Merge.sum;
import static dev.tributary.Merge.union;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.tributary.support.RawJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.ser.std.StdSerializer;

/** A merge names fields that the payload has, as Jackson writes it. No database. */
class MergedFieldsTest {
    record Renamed(
            @JsonProperty("product_ids") List<String> productIds,
            @JsonIgnore int secret,
            int n) {}

    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record Snake(List<String> productIds) {}

    record Plain(List<String> productIds) {}

    /** Not a record. */
    static class Bean {
        public List<String> getProductIds() {
            return List.of();
        }
    }

    static final class WithoutGetters {
        private final List<String> productIds = List.of();
    }

    record Nothing() {}

    record AllIgnored(@JsonIgnore String region) {}

    record Any(int n, @JsonAnyGetter Map<String, Object> more) {}

    record Unwrapped(@JsonUnwrapped(prefix = "p_") Plain plain, int n) {}

    record UnwrappedAny(@JsonUnwrapped Any any) {}

    record AsMap(@JsonValue Map<String, Object> map) {}

    record AsPlain(@JsonValue Plain plain) {}

    record AsText(@JsonValue String text) {}

    @JsonSerialize(using = Written.class)
    record ByHand(int n) {}

    static final class Written extends StdSerializer<ByHand> {
        Written() {
            super(ByHand.class);
        }

        @Override
        public void serialize(ByHand value, JsonGenerator json, SerializationContext context) {
            json.writeStartObject().writeName("hand").writeNumber(value.n()).writeEndObject();
        }
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME)
    static class Polymorphic extends Bean {}

    interface Shape {
        List<String> getProductIds();
    }

    @Test
    void aFieldThatTheRecordDoesNotHaveIsRefused() {
        refused(() -> type(Plain.class, union("productIDs")), "T:", "[productIDs]", "[productIds]");
        refused(() -> type(Plain.class, union("productIds").and(sum("n"))), "[n]");
        refused(() -> type(Plain.class, latest().and(union("ids"))), "[ids]");
        assertThat(type(Plain.class, union("productIds")).merge()).isPresent();
    }

    @Test
    void aFieldIsCalledAsItIsWritten() {
        assertThat(type(Renamed.class, union("product_ids").and(sum("n"))).merge())
                .isPresent();
        refused(() -> type(Renamed.class, union("productIds")), "[productIds]", "product_ids");
        refused(() -> type(Renamed.class, sum("secret")), "[secret]");
        assertThat(type(Snake.class, union("product_ids")).merge()).isPresent();
        refused(() -> type(Snake.class, union("productIds")), "[productIds]", "product_ids");
    }

    @Test
    void theMapperOfTheTypeNamesTheFields() {
        JsonMapper snake = JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .build();
        JobType.Builder<Plain> builder = JobType.named("T", Plain.class)
                .onePendingPer(payload -> "k")
                .codec(PayloadCodec.json(Plain.class, snake));
        assertThat(builder.merging(union("product_ids")).build().merge()).isPresent();
        refused(() -> builder.merging(union("productIds")).build(), "[productIds]", "[product_ids]");
    }

    @Test
    void aFieldThatAnotherClassDoesNotHaveIsRefusedToo() {
        refused(() -> type(Bean.class, union("productIDs")), "[productIDs]", "[productIds]");
        refused(() -> type(Unwrapped.class, union("productIds")), "[productIds]", "[p_productIds, n]");
        refused(() -> type(AsPlain.class, union("plain")), "[plain]", "[productIds]");
        assertThat(type(Bean.class, union("productIds")).merge()).isPresent();
        assertThat(type(Unwrapped.class, union("p_productIds")).merge()).isPresent();
        assertThat(type(AsPlain.class, union("productIds")).merge()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Any.class,
                UnwrappedAny.class,
                AsMap.class,
                AsText.class,
                ByHand.class,
                Polymorphic.class,
                Shape.class,
                Map.class,
                LinkedHashMap.class,
                JsonNode.class,
                ObjectNode.class,
                Object.class
            })
    void whatWritesMoreThanItsOwnFieldsIsNotChecked(Class<?> payload) {
        assertThat(type(payload, union("anything")).merge()).isPresent();
    }

    @Test
    void aCodecOfTheUsersIsNotChecked() {
        assertThat(JobType.named("T", String.class)
                        .onePendingPer(json -> "k")
                        .merging(union("anything"))
                        .codec(RawJson.CODEC)
                        .build()
                        .merge())
                .isPresent();
    }

    @Test
    void aClassWhoseFieldsAreAllLostIsRefused() {
        refused(() -> type(WithoutGetters.class, union("productIds")), "sees no field", "WithoutGetters", "getters");
        refused(() -> JobType.named("T", WithoutGetters.class).build(), "T:", "writes {}");
        JsonMapper fields = JsonMapper.builder()
                .changeDefaultVisibility(all -> all.withFieldVisibility(JsonAutoDetect.Visibility.ANY))
                .build();
        assertThat(JobType.named("T", WithoutGetters.class)
                        .codec(PayloadCodec.json(WithoutGetters.class, fields))
                        .build()
                        .merge())
                .isEmpty();
    }

    @Test
    void aClassWithNothingToLoseIsNotRefusedButHasNoFieldToMerge() {
        assertThat(type(Nothing.class, latest()).merge()).isPresent();
        assertThat(type(AllIgnored.class, latest()).merge()).isPresent();
        refused(() -> type(Nothing.class, union("ids")), "[ids]", "has []");
    }

    @Test
    void aMergeOfTheWholePayloadNeedsNoField() {
        assertThat(type(Plain.class, latest()).merge()).isPresent();
        assertThat(type(Plain.class, (older, newer) -> older).merge()).isPresent();
    }

    private <P> JobType<P> type(Class<P> payload, Merge merge) {
        return JobType.named("T", payload)
                .onePendingPer(p -> "k")
                .merging(merge)
                .build();
    }

    private static void refused(ThrowingCallable definition, String... words) {
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(definition)
                .satisfies(e -> assertThat(e.getMessage()).contains(words));
    }
}
