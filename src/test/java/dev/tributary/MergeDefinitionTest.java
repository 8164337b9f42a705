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

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Which merges can be defined. No database. */
class MergeDefinitionTest {
    @Nested
    class Fields {
        @Test
        void areNamedOnce() {
            refused(() -> union("ids", "tags", "ids"), "\"ids\" is merged twice");
            refused(() -> union("ids").and(concat("ids")), "\"ids\" is merged twice", "once by union, once by concat");
            refused(
                    () -> union("a").and(sum("b")).and(min("c").and(max("b"))),
                    "\"b\" is merged twice",
                    "once by sum, once by max");
            refused(() -> latest().and(union("ids")).and(latest("ids")), "\"ids\" is merged twice");
        }

        @Test
        void areNotNull() {
            refused(() -> union(null), "the field to merge is null");
            refused(() -> sum("n", "m", null), "the field to merge is null");
            refused(() -> latest((String) null), "the field to merge is null");
            refused(() -> max("n", (String[]) null), "the fields to merge are null");
        }

        @Test
        void haveNamesThatCanBeSent() {
            refused(() -> union("a\u0000b"), "the field to merge holds U+0000 at character 1");
            refused(() -> sum("n", "ab\uD83D"), "the field to merge holds a lone surrogate (U+D83D) at character 2");
        }

        @Test
        void areDecidedByMergesOfFieldsOnly() {
            refused(() -> union("ids").and(latest()), "a merge of named fields", "goes first");
            refused(() -> union("ids").and(earliest()), "a merge of named fields");
            refused(() -> union("ids").and(latest().and(sum("n"))), "a merge of named fields");
            refused(() -> union("ids").and((older, newer) -> newer), "a merge of named fields");
            refused(() -> latest().and(null), "the merge of named fields is null");
            refused(() -> union("ids").and(null), "the merge of named fields is null");
        }
    }

    private static void refused(ThrowingCallable definition, String... words) {
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(definition)
                .satisfies(e -> assertThat(e.getMessage()).contains(words));
    }
}
