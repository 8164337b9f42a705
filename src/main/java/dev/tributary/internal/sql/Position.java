package dev.tributary.internal.sql;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row's place in a keyset, as the text that PostgreSQL gives its columns: a Java type would round some, and cannot hold others.
 *
 * @param texts one for each column of {@link KeysetOrder#order()}; all null behind the rows that have no sort key
 */
public record Position(List<@Nullable String> texts) {
    public static Position of(@Nullable String[] texts) {
        return new Position(Collections.unmodifiableList(Arrays.asList(texts)));
    }

    @Nullable
    String[] array() {
        return texts.toArray(String[]::new);
    }

    /** Of a row without a sort key. */
    boolean isAmongNulls() {
        return texts.get(0) == null && !isBehindNulls();
    }

    boolean isBehindNulls() {
        return texts.stream().allMatch(text -> text == null);
    }
}
