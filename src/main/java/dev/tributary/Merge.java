package dev.tributary;

import org.jooq.Field;
import org.jooq.JSONB;

/**
 * How the payloads of two jobs of one key become one: a typed SQL expression, computed by PostgreSQL on the current row.
 *
 * <p>A merge is <b>associative</b>: {@code merge(merge(a, b), c)} and {@code merge(a, merge(b, c))} hold the same data.
 * Which of the two is computed depends on who came first, so the queue promises an outcome only for merges that keep this
 * law. All merges made here keep it. Older and newer are not interchangeable: on enqueue the pending job is the older, on
 * requeue the refused one is.
 *
 * <p>Fields that a merge does not name take the newer value; fields that only one side has survive. A field merge never
 * raises an error on stored data: it treats JSON of a type it does not expect as its description says.
 */
@FunctionalInterface
public interface Merge {
    /**
     * The merged payload.
     *
     * @param older a JSON object, never SQL NULL
     * @param newer a JSON object, never SQL NULL
     * @return an expression for a JSON object; it may use either argument several times. Nothing checks it: SQL NULL
     *     violates the NOT NULL of the column and reaches the caller as the error 23502 of the database, JSON that is no
     *     object as 23514
     */
    Field<JSONB> merge(Field<JSONB> older, Field<JSONB> newer);

    /**
     * This merge for all fields but those that {@code fields} names, which it decides.
     *
     * @param fields a merge of named fields: the result of {@code union}, {@code concat}, {@code sum}, {@code min},
     *     {@code max}, {@code latest(field)}, {@code earliest(field)} or of {@code and} over those
     * @throws InvalidArgument if {@code fields} is null or not such a merge, or names a field that this one already names
     */
    default Merge and(Merge fields) {
        return FieldMerge.over(this).and(fields);
    }

    /**
     * Set union of arrays: the older elements as they are, then those newer ones that are not among them, each once, in
     * the order first seen. Elements keep their JSON type, and are the same if jsonb calls them equal ({@code 1} and
     * {@code 1.0} are, {@code 1} and {@code "1"} are not); the first of them stays. An absent or null array counts as empty, and the result is
     * always an array. A value that is no array counts as its one element.
     *
     * @throws InvalidArgument if a field is null, named twice, or holds U+0000 or a lone surrogate in its name
     */
    static Merge union(String arrayField, String... more) {
        return FieldMerge.of(FieldRule.UNION, arrayField, more);
    }

    /** The older array followed by the newer, repeats kept; for the rest as {@link #union}. */
    static Merge concat(String arrayField, String... more) {
        return FieldMerge.of(FieldRule.CONCAT, arrayField, more);
    }

    /** The sum of two numbers. Where only one side has a number, that one; where none has, the newer value. */
    static Merge sum(String numberField, String... more) {
        return FieldMerge.of(FieldRule.SUM, numberField, more);
    }

    /**
     * The smaller of two values, in the order of jsonb: numbers by value, strings by the collation of the database. Null
     * and absent lose against any value.
     */
    static Merge min(String field, String... more) {
        return FieldMerge.of(FieldRule.MIN, field, more);
    }

    /** The larger of two values; for the rest as {@link #min}. */
    static Merge max(String field, String... more) {
        return FieldMerge.of(FieldRule.MAX, field, more);
    }

    /** The newer value, JSON null included; where the newer payload lacks the field, the older. */
    static Merge latest(String field, String... more) {
        return FieldMerge.of(FieldRule.LATEST, field, more);
    }

    /** The older value, JSON null included; where the older payload lacks the field, the newer. */
    static Merge earliest(String field, String... more) {
        return FieldMerge.of(FieldRule.EARLIEST, field, more);
    }

    /** The whole newer payload. The older one is dropped: choose it only where the newer says all there is to do. */
    static Merge latest() {
        return (older, newer) -> newer;
    }

    /** The whole older payload. The newer one is dropped: choose it only where the older says all there is to do. */
    static Merge earliest() {
        return (older, newer) -> older;
    }
}
