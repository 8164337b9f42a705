package dev.tributary;

import dev.tributary.internal.Arguments;
import dev.tributary.internal.StorableJson;
import dev.tributary.internal.Text;
import dev.tributary.internal.sql.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jooq.Field;
import org.jooq.JSONB;
import tools.jackson.core.JsonToken;

/** A merge of named fields, each by its rule, over a merge of the whole payload that decides all the others. */
final class FieldMerge implements Merge {
    /** Unnamed fields: the newer value where there is one, else the older. */
    private static final Merge REST = Json::concat;

    static final FieldMerge NONE = new FieldMerge(REST, Map.of());

    private final Merge rest;
    private final Map<String, FieldRule> rules;

    private FieldMerge(Merge rest, Map<String, FieldRule> rules) {
        this.rest = rest;
        this.rules = rules;
    }

    static FieldMerge over(Merge rest) {
        return new FieldMerge(rest, Map.of());
    }

    static FieldMerge of(FieldRule rule, String field, String... more) {
        Arguments.areNotNull("the fields to merge", more);
        FieldMerge merge = NONE;
        for (String name : Stream.concat(Stream.of(field), Stream.of(more)).toList()) {
            merge = merge.and(new FieldMerge(REST, Map.of(checked(name), rule)));
        }
        return merge;
    }

    private static String checked(String name) {
        Text.flaw(Arguments.notNull("the field to merge", name)).ifPresent(flaw -> {
            throw new InvalidArgument("the name of the field to merge holds " + flaw);
        });
        return name;
    }

    @Override
    public FieldMerge and(Merge fields) {
        Arguments.notNull("the merge of named fields", fields);
        if (!(fields instanceof FieldMerge named) || named.rest != REST) {
            throw new InvalidArgument("and(…) takes a merge of named fields, such as Merge.union(\"ids\");"
                    + " a merge of the whole payload goes first: Merge.latest().and(Merge.union(\"ids\"))");
        }
        Map<String, FieldRule> both = new LinkedHashMap<>(rules);
        named.rules.forEach((field, rule) -> {
            if (both.putIfAbsent(field, rule) != null) {
                throw new InvalidArgument("the field \"" + field + "\" is merged twice: once by " + rules.get(field)
                        + ", once by " + rule);
            }
        });
        return new FieldMerge(rest, both);
    }

    @Override
    public Field<JSONB> merge(Field<JSONB> older, Field<JSONB> newer) {
        Field<JSONB> merged = rest.merge(older, newer);
        for (Map.Entry<String, FieldRule> named : rules.entrySet()) {
            String field = named.getKey();
            Field<JSONB> value = named.getValue().merge(Json.field(older, field), Json.field(newer, field));
            merged = Json.setIfPresent(merged, field, value);
        }
        return merged;
    }

    /** The merge of a type as one of named fields: of none, if it is of another kind. */
    static FieldMerge fieldsOf(JobType<?> type) {
        return type.merge().orElse(NONE) instanceof FieldMerge fields ? fields : NONE;
    }

    Set<String> fields() {
        return rules.keySet();
    }

    /** Refuses a value that the field's rule does not take. */
    void check(String what, String field, JsonToken value) {
        FieldRule rule = rules.get(field);
        if (rule != null && !rule.accepts(value)) {
            throw new InvalidPayload(what + ": the field \"" + field + "\" is merged by " + rule + " and must be "
                    + rule.takes + " or null, not " + StorableJson.named(value));
        }
    }
}
