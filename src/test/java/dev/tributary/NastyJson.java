package dev.tributary;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Tuple;

/** JSON that has broken others: equal numbers that look different, escapes, empty and nested things, null anywhere. */
final class NastyJson {
    private NastyJson() {}

    /** Payloads with some of the fields that the merges name, and some that they do not. */
    static Arbitrary<Map<String, Object>> objects(Arbitrary<Object> values) {
        // Map.of and its like have no null.
        return Arbitraries.maps(Arbitraries.of("a", "b", "it's", "other"), values)
                .ofMaxSize(4)
                .map(HashMap::new);
    }

    static Arbitrary<Object> values() {
        return Arbitraries.frequencyOf(
                Tuple.of(4, arrays().map(array -> (Object) array)),
                Tuple.of(3, elements()),
                Tuple.of(1, Arbitraries.just(null)));
    }

    /** Short, of few different elements, so that two arrays have some in common. */
    static Arbitrary<List<Object>> arrays() {
        return elements().list().ofMaxSize(6).map(ArrayList::new);
    }

    static Arbitrary<Object> elements() {
        Arbitrary<Object> scalars = scalars();
        return Arbitraries.frequencyOf(
                Tuple.of(6, scalars),
                Tuple.of(1, scalars.list().ofMaxSize(3).map(ArrayList::new)),
                Tuple.of(1, Arbitraries.maps(strings(), scalars).ofMaxSize(2).map(HashMap::new)));
    }

    private static Arbitrary<Object> scalars() {
        return Arbitraries.oneOf(
                numbers(),
                strings().map(text -> (Object) text),
                Arbitraries.of(Boolean.TRUE, Boolean.FALSE),
                Arbitraries.just(null));
    }

    static Arbitrary<Object> numbers() {
        Arbitrary<String> chosen = Arbitraries.of(
                "0",
                "0.0",
                "1",
                "1.0",
                "1.00",
                "-1",
                "10",
                "1E+1",
                "1E2",
                "100",
                "0.1",
                "0.10",
                "1E-7",
                "9007199254740993",
                "9007199254740992",
                "123456789012345678901234567890",
                "123456789012345678901234567890.0",
                "-123456789012345678901234567890.123456789",
                "1E+100",
                "1E-100");
        return Arbitraries.oneOf(
                        chosen.map(BigDecimal::new), Arbitraries.bigDecimals().ofScale(20))
                .map(number -> (Object) number);
    }

    static Arbitrary<String> strings() {
        Arbitrary<String> chosen = Arbitraries.of(
                "", " ", "1", "1.0", "null", "[]", "\"", "\\", "\\u0000", "'", "é", "e\u0301", "😀", "\uFFFF", "\u0001",
                "\n", "a", "A", "ß", "ſ", "İ", "?", "{0}", ":x", "\u2028");
        Arbitrary<String> any = Arbitraries.integers()
                .between(1, Character.MAX_CODE_POINT)
                .filter(point -> point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE)
                .list()
                .ofMaxSize(5)
                .map(points -> points.stream().map(Character::toString).collect(Collectors.joining()));
        return Arbitraries.oneOf(chosen, any);
    }

    /** What every collation orders alike, and numbers, and null. */
    static Arbitrary<Object> comparable() {
        return Arbitraries.oneOf(
                numbers(),
                Arbitraries.strings().withCharRange('a', 'z').ofMaxLength(5).map(text -> (Object) text),
                Arbitraries.strings().numeric().ofMaxLength(5).map(text -> (Object) text),
                Arbitraries.just(null));
    }
}
