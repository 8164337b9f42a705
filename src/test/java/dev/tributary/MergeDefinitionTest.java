package dev.tributary;

import static dev.tributary.Merge.concat;
import static dev.tributary.Merge.earliest;
import static dev.tributary.Merge.latest;
import static dev.tributary.Merge.max;
import static dev.tributary.Merge.min;
import static dev.tributary.Merge.sum;
import static dev.tributary.Merge.union;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.tributary.support.RawJson;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.json.JsonMapper;

/** Which merges can be defined, alone and for a type. No database. */
class MergeDefinitionTest {
    @Nested
    class Fields {
        @Test
        void areNamedOnce() {
            refused(() -> union("ids", "tags", "ids"), "\"ids\" is merged twice");
            refused(() -> union("ids").and(concat("ids")), "\"ids\" is merged twice", "UNION", "CONCAT");
            refused(() -> union("a").and(sum("b")).and(min("c").and(max("b"))), "\"b\" is merged twice", "SUM", "MAX");
            refused(() -> latest().and(union("ids")).and(latest("ids")), "\"ids\" is merged twice");
        }

        @Test
        void areNotNull() {
            refused(() -> union(null), "the field to merge is null");
            refused(() -> sum("n", "m", null), "the field to merge is null");
            refused(() -> latest((String) null), "the field to merge is null");
        }

        @Test
        void areDecidedByMergesOfFieldsOnly() {
            refused(() -> union("ids").and(latest()), "a merge of named fields", "goes first");
            refused(() -> union("ids").and(earliest()), "a merge of named fields");
            refused(() -> union("ids").and(latest().and(sum("n"))), "a merge of named fields");
            refused(() -> union("ids").and((older, newer) -> newer), "a merge of named fields");
            refused(() -> latest().and(null), "a merge of named fields");
        }
    }

    @Nested
    class AgainstThePayload {
        record Renamed(
                @JsonProperty("product_ids") List<String> productIds,
                @JsonIgnore int secret,
                int n) {}

        @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
        record Snake(List<String> productIds) {}

        record Plain(List<String> productIds) {}

        /** Not a record: what it writes is not known beforehand. */
        static final class Bean {}

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
        void otherClassesAndCodecsMayWriteAnyField() {
            assertThatNoException().isThrownBy(() -> type(Bean.class, union("anything")));
            assertThatNoException().isThrownBy(() -> type(Map.class, union("anything")));
            assertThatNoException()
                    .isThrownBy(() -> JobType.named("T", String.class)
                            .onePendingPer(json -> "k")
                            .merging(union("anything"))
                            .codec(RawJson.CODEC)
                            .build());
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
    }

    private static void refused(ThrowingCallable definition, String... words) {
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(definition)
                .satisfies(e -> assertThat(e.getMessage()).contains(words));
    }
}
