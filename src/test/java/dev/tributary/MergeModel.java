package dev.tributary;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The merges once more, on plain Java values as {@link #of} makes them: maps, lists, strings, numbers, booleans and null,
 * with numbers so that equal ones are equal objects.
 */
final class MergeModel {
    /** Stands for a field that is not there. */
    static final Object ABSENT = new Object();

    private MergeModel() {}

    /** The same value with numbers by value: 1 and 1.0 become one. */
    static @Nullable Object of(@Nullable Object json) {
        if (json instanceof Number number) {
            BigDecimal value = new BigDecimal(number.toString());
            return value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
        }
        if (json instanceof List<?> list) {
            return list.stream().map(MergeModel::of).collect(ArrayList::new, ArrayList::add, ArrayList::addAll);
        }
        if (json instanceof Map<?, ?> map) {
            Map<Object, Object> copy = new LinkedHashMap<>();
            map.forEach((name, value) -> copy.put(name, of(value)));
            return copy;
        }
        return json;
    }

    /** Two payloads merged: these fields by their rules, the rest taken from the map that {@code rest} chooses. */
    static Map<String, Object> merge(
            Map<String, Object> older,
            Map<String, Object> newer,
            BinaryOperator<Map<String, Object>> rest,
            Map<String, BinaryOperator<Object>> rules) {
        Map<String, Object> merged = new LinkedHashMap<>(rest.apply(older, newer));
        rules.forEach((field, rule) -> {
            Object value = rule.apply(older.getOrDefault(field, ABSENT), newer.getOrDefault(field, ABSENT));
            if (value != ABSENT) {
                merged.put(field, value);
            }
        });
        return merged;
    }

    static Map<String, Object> both(Map<String, Object> older, Map<String, Object> newer) {
        Map<String, Object> both = new LinkedHashMap<>(older);
        both.putAll(newer);
        return both;
    }

    static Object union(Object older, Object newer) {
        List<Object> union = elements(older);
        for (Object element : elements(newer)) {
            if (!union.contains(element)) {
                union.add(element);
            }
        }
        return union;
    }

    static Object concat(Object older, Object newer) {
        List<Object> both = elements(older);
        both.addAll(elements(newer));
        return both;
    }

    static Object sum(Object older, Object newer) {
        if (older instanceof BigDecimal left && newer instanceof BigDecimal right) {
            return of(left.add(right));
        }
        if (newer instanceof BigDecimal) {
            return newer;
        }
        return older instanceof BigDecimal ? older : latest(older, newer);
    }

    /** Of numbers and strings without characters that collations order in their own ways. */
    static Object min(Object older, Object newer) {
        return ordered(older, newer, -1);
    }

    static Object max(Object older, Object newer) {
        return ordered(older, newer, 1);
    }

    static Object latest(Object older, Object newer) {
        return newer == ABSENT ? older : newer;
    }

    static Object earliest(Object older, Object newer) {
        return older == ABSENT ? newer : older;
    }

    private static Object ordered(Object older, Object newer, int sign) {
        boolean noOlder = older == null || older == ABSENT;
        boolean noNewer = newer == null || newer == ABSENT;
        if (noOlder || noNewer) {
            return noOlder && noNewer ? latest(older, newer) : noOlder ? newer : older;
        }
        return Integer.signum(compare(older, newer)) == sign ? older : newer;
    }

    /** jsonb orders every string below every number. */
    private static int compare(Object left, Object right) {
        if (left instanceof BigDecimal a && right instanceof BigDecimal b) {
            return a.compareTo(b);
        }
        if (left instanceof String a && right instanceof String b) {
            return a.compareTo(b);
        }
        return left instanceof BigDecimal ? 1 : -1;
    }

    private static List<Object> elements(Object value) {
        if (value instanceof List<?> list) {
            return new ArrayList<>(list);
        }
        return value == null || value == ABSENT ? new ArrayList<>() : new ArrayList<>(Collections.singletonList(value));
    }
}
