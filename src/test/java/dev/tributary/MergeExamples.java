package dev.tributary;

import static dev.tributary.Merge.concat;
import static dev.tributary.Merge.earliest;
import static dev.tributary.Merge.latest;
import static dev.tributary.Merge.max;
import static dev.tributary.Merge.min;
import static dev.tributary.Merge.sum;
import static dev.tributary.Merge.union;

import dev.tributary.support.RawJson;
import java.util.function.Function;
import java.util.stream.Stream;

/** Two payloads and what a merge makes of them. */
final class MergeExamples {
    private static final String HUGE = "123456789012345678901234567890";

    private MergeExamples() {}

    static Stream<Example> all() {
        return Stream.of(arrays(), values(), payloads(), fieldNames()).flatMap(Function.identity());
    }

    record Example(String name, Merge merge, String older, String newer, String merged) {
        @Override
        public String toString() {
            return name;
        }

        /** Any JSON is stored and merged: what the type says of its fields is not checked behind the lambda. */
        JobType<String> type() {
            return JobType.named("RAW", String.class)
                    .onePendingPer(json -> "k")
                    .merging((older, newer) -> merge.merge(older, newer))
                    .codec(RawJson.CODEC)
                    .backoff(Backoff.none())
                    .build();
        }
    }

    private static Example example(String name, Merge merge, String older, String newer, String merged) {
        return new Example(name, merge, json(older), json(newer), json(merged));
    }

    private static Stream<Example> arrays() {
        Merge union = union("ids");
        return Stream.of(
                example(
                        "first seen first",
                        union,
                        "{'ids':['b','a']}",
                        "{'ids':['c','a','d']}",
                        "{'ids':['b','a','c','d']}"),
                example("both empty", union, "{'ids':[]}", "{'ids':[]}", "{'ids':[]}"),
                example("older empty", union, "{'ids':[]}", "{'ids':[1]}", "{'ids':[1]}"),
                example("newer empty", union, "{'ids':[1]}", "{'ids':[]}", "{'ids':[1]}"),
                example("older absent", union, "{}", "{'ids':[1]}", "{'ids':[1]}"),
                example("newer absent", union, "{'ids':[1]}", "{}", "{'ids':[1]}"),
                example("both absent", union, "{}", "{}", "{'ids':[]}"),
                example("older null", union, "{'ids':null}", "{'ids':[1]}", "{'ids':[1]}"),
                example("newer null", union, "{'ids':[1]}", "{'ids':null}", "{'ids':[1]}"),
                example("both null", union, "{'ids':null}", "{'ids':null}", "{'ids':[]}"),
                example("null and absent", union, "{'ids':null}", "{}", "{'ids':[]}"),
                example("older no array", union, "{'ids':'a'}", "{'ids':['b','a']}", "{'ids':['a','b']}"),
                example("newer no array", union, "{'ids':['b','a']}", "{'ids':{'a':1}}", "{'ids':['b','a',{'a':1}]}"),
                example("neither an array", union, "{'ids':1}", "{'ids':1.0}", "{'ids':[1]}"),
                example(
                        "numbers and strings",
                        union,
                        "{'ids':[1,'1']}",
                        "{'ids':['1',1,'2',2]}",
                        "{'ids':[1,'1','2',2]}"),
                example("one and one point nought", union, "{'ids':[1]}", "{'ids':[1.0,2.0]}", "{'ids':[1,2.0]}"),
                example(
                        "huge numbers",
                        union,
                        "{'ids':[" + HUGE + ",0.1]}",
                        "{'ids':[" + HUGE + "," + HUGE + "1,0.10,0.1000000000000000000000001]}",
                        "{'ids':[" + HUGE + ",0.1," + HUGE + "1,0.1000000000000000000000001]}"),
                example("null elements", union, "{'ids':[null]}", "{'ids':[null,false]}", "{'ids':[null,false]}"),
                example(
                        "nested elements",
                        union,
                        "{'ids':[{'a':[1,2],'b':{}}]}",
                        "{'ids':[{'b':{},'a':[1.0,2]},{'a':[2,1],'b':{}},[[]],[]]}",
                        "{'ids':[{'a':[1,2],'b':{}},{'a':[2,1],'b':{}},[[]],[]]}"),
                example(
                        "repeats in the newer",
                        union,
                        "{'ids':['a']}",
                        "{'ids':['c','b','c','b','a']}",
                        "{'ids':['a','c','b']}"),
                example("repeats in the older stay", union, "{'ids':['a','a']}", "{'ids':['a']}", "{'ids':['a','a']}"),
                example(
                        "of equal ones the first by place",
                        union,
                        "{'ids':['z']}",
                        "{'ids':[3.0,'b',1,'a',1.0,3,1.00,2.00,'b',2]}",
                        "{'ids':['z',3.0,'b',1,'a',2.00]}"),
                example(
                        "strings that differ",
                        union,
                        "{'ids':['é','','a']}",
                        "{'ids':['e\u0301',' ','A']}",
                        "{'ids':['é','','a','e\u0301',' ','A']}"),
                example(
                        "two unions",
                        union("ids", "tags"),
                        "{'ids':[1],'tags':['x']}",
                        "{'ids':[2]}",
                        "{'ids':[1,2],'tags':['x']}"),
                example("concat", concat("ids"), "{'ids':[1,1]}", "{'ids':[1,2]}", "{'ids':[1,1,1,2]}"),
                example("concat of arrays", concat("ids"), "{'ids':[[1]]}", "{'ids':[[1],[]]}", "{'ids':[[1],[1],[]]}"),
                example("concat null and absent", concat("ids"), "{'ids':null}", "{}", "{'ids':[]}"),
                example(
                        "concat of no array",
                        concat("ids"),
                        "{'ids':{'a':1}}",
                        "{'ids':'b'}",
                        "{'ids':[{'a':1},'b']}"));
    }

    private static Stream<Example> values() {
        return Stream.of(
                example("sum", sum("n"), "{'n':1}", "{'n':2}", "{'n':3}"),
                example("sum of decimals", sum("n"), "{'n':0.1}", "{'n':0.2}", "{'n':0.3}"),
                example(
                        "sum of huge",
                        sum("n"),
                        "{'n':" + HUGE + "}",
                        "{'n':1}",
                        "{'n':123456789012345678901234567891}"),
                example("sum of negatives", sum("n"), "{'n':-1.5}", "{'n':1e2}", "{'n':98.5}"),
                example("sum with older absent", sum("n"), "{}", "{'n':2}", "{'n':2}"),
                example("sum with newer absent", sum("n"), "{'n':2}", "{}", "{'n':2}"),
                example("sum with older null", sum("n"), "{'n':null}", "{'n':2}", "{'n':2}"),
                example("sum with newer null", sum("n"), "{'n':2}", "{'n':null}", "{'n':2}"),
                example("sum of nulls", sum("n"), "{'n':null}", "{}", "{'n':null}"),
                example("sum of nothing", sum("n"), "{}", "{}", "{}"),
                example("sum with a string", sum("n"), "{'n':'1'}", "{'n':2}", "{'n':2}"),
                example("sum of no numbers", sum("n"), "{'n':'1'}", "{'n':['2']}", "{'n':['2']}"),
                example("sum of the largest", sum("n"), "{'n':9e899}", "{'n':9e899}", "{'n':18e899}"),
                example("min", min("n"), "{'n':2}", "{'n':10}", "{'n':2}"),
                example("min of newer", min("n"), "{'n':2.5}", "{'n':2.25}", "{'n':2.25}"),
                example("min of strings", min("n"), "{'n':'2026-01-31'}", "{'n':'2026-01-30'}", "{'n':'2026-01-30'}"),
                example("min with null", min("n"), "{'n':null}", "{'n':5}", "{'n':5}"),
                example("min with newer null", min("n"), "{'n':5}", "{'n':null}", "{'n':5}"),
                example("min with absent", min("n"), "{'n':5}", "{}", "{'n':5}"),
                example("min of nulls", min("n"), "{'n':null}", "{'n':null}", "{'n':null}"),
                example("min of nothing", min("n"), "{}", "{}", "{}"),
                example("max", max("n"), "{'n':2}", "{'n':10}", "{'n':10}"),
                example("max of strings", max("n"), "{'n':'b'}", "{'n':'a'}", "{'n':'b'}"),
                example("max of huge", max("n"), "{'n':" + HUGE + "}", "{'n':" + HUGE + ".1}", "{'n':" + HUGE + ".1}"),
                example("max with null", max("n"), "{'n':null}", "{'n':-5}", "{'n':-5}"),
                example("max with newer null", max("n"), "{'n':-5}", "{'n':null}", "{'n':-5}"),
                example("latest field", latest("n"), "{'n':1,'m':1}", "{'n':2}", "{'n':2,'m':1}"),
                example("latest field null", latest("n"), "{'n':1}", "{'n':null}", "{'n':null}"),
                example("latest field absent", latest("n"), "{'n':1}", "{}", "{'n':1}"),
                example("earliest field", earliest("n"), "{'n':1,'m':1}", "{'n':2,'m':2}", "{'n':1,'m':2}"),
                example("earliest field null", earliest("n"), "{'n':null}", "{'n':2}", "{'n':null}"),
                example("earliest field absent", earliest("n"), "{}", "{'n':2}", "{'n':2}"));
    }

    private static Stream<Example> payloads() {
        return Stream.of(
                example("latest", latest(), "{'a':1,'b':1}", "{'a':2}", "{'a':2}"),
                example("earliest", earliest(), "{'a':1}", "{'a':2,'b':1}", "{'a':1}"),
                example(
                        "unnamed fields",
                        union("ids"),
                        "{'ids':[1],'old':{'x':1},'both':{'x':1}}",
                        "{'ids':[2],'new':[],'both':{'y':2}}",
                        "{'ids':[1,2],'old':{'x':1},'new':[],'both':{'y':2}}"),
                example(
                        "field by field",
                        union("ids")
                                .and(sum("n"))
                                .and(min("low"))
                                .and(max("high"))
                                .and(earliest("since")),
                        "{'ids':[1],'n':1,'low':5,'high':5,'since':'mon','x':1}",
                        "{'ids':[2],'n':2,'low':4,'high':4,'since':'tue','x':2}",
                        "{'ids':[1,2],'n':3,'low':4,'high':5,'since':'mon','x':2}"),
                example(
                        "latest but the ids",
                        latest().and(union("ids")),
                        "{'ids':[1],'old':1,'both':1}",
                        "{'ids':[2],'both':2}",
                        "{'ids':[1,2],'both':2}"),
                example(
                        "earliest but the ids and the sum",
                        earliest().and(union("ids").and(sum("n"))),
                        "{'ids':[1],'old':1,'both':1}",
                        "{'ids':[2],'both':2,'n':1,'new':1}",
                        "{'ids':[1,2],'old':1,'both':1,'n':1}"));
    }

    /** Names that a template or a driver could take for something else. */
    static Stream<Example> fieldNames() {
        return Stream.of(
                        "it's",
                        "a b",
                        "",
                        " ",
                        "ünï 😀",
                        "{}",
                        "{0}",
                        "{1} || ?",
                        "?",
                        "??",
                        ":x",
                        "::jsonb",
                        "$1",
                        "${x}",
                        "--",
                        "/*",
                        "a.b",
                        "a,b",
                        "a/b",
                        "{a,b}",
                        "back\\\\slash",
                        "-1",
                        "0",
                        "%s",
                        "select",
                        "$.a",
                        "'",
                        "''")
                .map(name -> example(
                        "the field " + name,
                        union("x").and(concat(name.replace("\\\\", "\\"))),
                        named(name, "[1]"),
                        named(name, "[2]"),
                        named(name, "[1,2]")));
    }

    private static String named(String name, String value) {
        return "{\"" + name + "\":" + value + ",\"x\":[]}";
    }

    /** Single quotes for double ones, for the eye; unless the text has double ones already. */
    private static String json(String text) {
        return text.contains("\"") ? text : text.replace('\'', '"');
    }
}
