package dev.tributary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.val;

import dev.tributary.support.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The laws of the merges, computed by PostgreSQL and held against a model in plain Java. */
@PropertyDefaults(edgeCases = EdgeCasesMode.NONE)
class MergePropertyTest {
    private static final Database DATABASE = Database.empty();
    private static final Connection CONNECTION = DATABASE.connect();
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS, DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            .build();

    /** A merge beside its model. */
    private record Pair(
            String name,
            Merge merge,
            BinaryOperator<Map<String, Object>> rest,
            Map<String, BinaryOperator<Object>> rules) {
        Map<String, Object> model(Map<String, Object> older, Map<String, Object> newer) {
            return MergeModel.merge(older, newer, rest, rules);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Pair fields(String name, Merge merge, Map<String, BinaryOperator<Object>> rules) {
        return new Pair(name, merge, MergeModel::both, rules);
    }

    private static final List<Pair> PAIRS = List.of(
            fields("union", Merge.union("a"), Map.of("a", MergeModel::union)),
            fields("unions", Merge.union("a", "it's"), Map.of("a", MergeModel::union, "it's", MergeModel::union)),
            fields("concat", Merge.concat("a"), Map.of("a", MergeModel::concat)),
            fields("sum", Merge.sum("a"), Map.of("a", MergeModel::sum)),
            fields("latest field", Merge.latest("a"), Map.of("a", MergeModel::latest)),
            fields("earliest field", Merge.earliest("a"), Map.of("a", MergeModel::earliest)),
            new Pair("latest", Merge.latest(), (older, newer) -> newer, Map.of()),
            new Pair("earliest", Merge.earliest(), (older, newer) -> older, Map.of()),
            fields(
                    "composed",
                    Merge.union("a").and(Merge.sum("b").and(Merge.earliest("it's"))),
                    Map.of("a", MergeModel::union, "b", MergeModel::sum, "it's", MergeModel::earliest)),
            new Pair(
                    "latest but",
                    Merge.latest().and(Merge.concat("a")).and(Merge.earliest("b")),
                    (older, newer) -> newer,
                    Map.of("a", MergeModel::concat, "b", MergeModel::earliest)),
            new Pair(
                    "earliest but",
                    Merge.earliest().and(Merge.union("a").and(Merge.sum("b"))),
                    (older, newer) -> older,
                    Map.of("a", MergeModel::union, "b", MergeModel::sum)));

    private static final List<Pair> ORDERINGS = List.of(
            fields("min", Merge.min("a"), Map.of("a", MergeModel::min)),
            fields("max", Merge.max("a"), Map.of("a", MergeModel::max)),
            fields(
                    "min and max",
                    Merge.min("a").and(Merge.max("b")),
                    Map.of("a", MergeModel::min, "b", MergeModel::max)));

    @AfterContainer
    static void close() throws SQLException {
        CONNECTION.close();
        DATABASE.close();
    }

    @Property(tries = 1000)
    void whatTheDatabaseMakesOfItIsWhatTheModelMakesOfIt(
            @ForAll("pairs") Pair pair,
            @ForAll("payloads") Map<String, Object> older,
            @ForAll("payloads") Map<String, Object> newer) {
        assertThat(merged(pair.merge(), older, newer)).isEqualTo(pair.model(modelled(older), modelled(newer)));
    }

    @Property(tries = 400)
    void theSmallestAndTheLargestAreThoseOfTheModel(
            @ForAll("orderings") Pair pair,
            @ForAll("comparable") Map<String, Object> older,
            @ForAll("comparable") Map<String, Object> newer) {
        assertThat(merged(pair.merge(), older, newer)).isEqualTo(pair.model(modelled(older), modelled(newer)));
    }

    @Property(tries = 1000)
    void everyMergeIsAssociative(
            @ForAll("anyPair") Pair pair,
            @ForAll("payloads") Map<String, Object> one,
            @ForAll("payloads") Map<String, Object> two,
            @ForAll("payloads") Map<String, Object> three) {
        Merge merge = pair.merge();
        Field<JSONB> a = value(one);
        Field<JSONB> b = value(two);
        Field<JSONB> c = value(three);
        assertThat(json(merge.merge(merge.merge(a, b), c))).isEqualTo(json(merge.merge(a, merge.merge(b, c))));
    }

    @Property(tries = 300)
    void aUnionWithWhatItHoldsChangesNothing(
            @ForAll("payloads") Map<String, Object> older, @ForAll("payloads") Map<String, Object> newer) {
        Merge union = Merge.union("a");
        Object once = merged(union, older, newer);
        Field<JSONB> both = union.merge(value(older), value(newer));
        assertThat(json(union.merge(both, value(newer)))).isEqualTo(once);
        assertThat(json(union.merge(both, both))).isEqualTo(once);
    }

    @Property(tries = 300)
    void aUnionOfSetsIsASetInTheOrderFirstSeen(
            @ForAll("arrays") List<Object> older, @ForAll("arrays") List<Object> newer) {
        List<Object> first =
                new ArrayList<>(older.stream().map(MergeModel::of).distinct().toList());
        List<Object> second = newer.stream().map(MergeModel::of).toList();
        List<?> union =
                (List<?>) ((Map<?, ?>) merged(Merge.union("a"), Map.of("a", first), Map.of("a", second))).get("a");
        first.addAll(second);
        assertThat(union).isEqualTo(first.stream().distinct().toList());
    }

    @Property(tries = 300)
    void aConcatKeepsEveryElement(@ForAll("arrays") List<Object> older, @ForAll("arrays") List<Object> newer) {
        Map<?, ?> merged = (Map<?, ?>) merged(Merge.concat("a"), Map.of("a", older), Map.of("a", newer));
        assertThat((List<?>) merged.get("a")).hasSize(older.size() + newer.size());
    }

    @Property(tries = 300)
    void sumMinAndMaxDoNotAskWhoIsOlder(@ForAll("numbers") Object one, @ForAll("numbers") Object two) {
        for (Merge merge : List.of(Merge.sum("a"), Merge.min("a"), Merge.max("a"))) {
            assertThat(merged(merge, Map.of("a", one), Map.of("a", two)))
                    .isEqualTo(merged(merge, Map.of("a", two), Map.of("a", one)));
        }
    }

    @Provide
    Arbitrary<Pair> pairs() {
        return Arbitraries.of(PAIRS);
    }

    @Provide
    Arbitrary<Pair> orderings() {
        return Arbitraries.of(ORDERINGS);
    }

    @Provide
    Arbitrary<Pair> anyPair() {
        return Arbitraries.oneOf(pairs(), orderings());
    }

    @Provide
    Arbitrary<Map<String, Object>> payloads() {
        return NastyJson.objects(NastyJson.values());
    }

    @Provide
    Arbitrary<Map<String, Object>> comparable() {
        return NastyJson.objects(NastyJson.comparable());
    }

    @Provide
    Arbitrary<List<Object>> arrays() {
        return NastyJson.arrays();
    }

    @Provide
    Arbitrary<Object> numbers() {
        return NastyJson.numbers();
    }

    private static Object merged(Merge merge, Map<String, Object> older, Map<String, Object> newer) {
        return json(merge.merge(value(older), value(newer)));
    }

    private static Field<JSONB> value(Map<String, Object> payload) {
        return val(JSONB.jsonb(JSON.writeValueAsString(payload)));
    }

    private static Object json(Field<JSONB> merged) {
        String text = DSL.using(CONNECTION, SQLDialect.POSTGRES)
                .select(merged)
                .fetchSingle()
                .value1()
                .data();
        return MergeModel.of(JSON.readValue(text, Object.class));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> modelled(Map<String, Object> payload) {
        return (Map<String, Object>) MergeModel.of(JSON.readValue(JSON.writeValueAsString(payload), Object.class));
    }
}
