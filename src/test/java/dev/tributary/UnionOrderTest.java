package dev.tributary;

import static dev.tributary.support.Refresh.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.support.Database;
import dev.tributary.support.RawJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Of elements that jsonb calls equal and writes differently, such as 1 and 1.0, a union keeps the first by place, as the
 * model does, on every way into a pending job. Compared as text: {@link MergePropertyTest} compares by value.
 */
@PropertyDefaults(edgeCases = EdgeCasesMode.NONE, tries = 100)
class UnionOrderTest {
    private static final Database DATABASE = Database.migrated();
    private static final JobQueue QUEUE = DATABASE.queue();
    private static final AtomicInteger KEYS = new AtomicInteger();
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    @AfterContainer
    static void drop() {
        DATABASE.close();
    }

    @Property
    void enqueuesOneAfterTheOther(@ForAll("payloads") List<List<String>> payloads) {
        JobType<String> type = type();
        List<Enqueued> jobs = payloads.stream()
                .map(elements -> QUEUE.enqueue(type, json(elements)))
                .toList();
        assertUnited(jobs.get(0).jobId(), payloads);
    }

    @Property
    void aBatchIntoNoJob(@ForAll("payloads") List<List<String>> payloads) {
        List<Enqueued> jobs = QUEUE.enqueueAll(
                type(), payloads.stream().map(UnionOrderTest::json).toList());
        assertUnited(jobs.get(0).jobId(), payloads);
    }

    @Property
    void aBatchIntoAPendingJob(@ForAll("payloads") List<List<String>> payloads) {
        JobType<String> type = type();
        long pending = QUEUE.enqueue(type, json(payloads.get(0))).jobId();
        QUEUE.enqueueAll(
                type, payloads.stream().skip(1).map(UnionOrderTest::json).toList());
        assertUnited(pending, payloads);
    }

    @Property
    void aRequeueBeforeWhatCameMeanwhile(@ForAll("payloads") List<List<String>> payloads) {
        JobType<String> type = type();
        QUEUE.enqueue(type, json(payloads.get(0)));
        ReservedJob<String> refused = QUEUE.reserve(type, 1, LEASE).get(0);
        List<Enqueued> newer = payloads.stream()
                .skip(1)
                .map(elements -> QUEUE.enqueue(type, json(elements)))
                .toList();
        assertThat(QUEUE.requeue(refused, "busy"))
                .isEqualTo(new Requeued.MergedInto(refused.id(), newer.get(0).jobId()));
        assertUnited(newer.get(0).jobId(), payloads);
    }

    @Provide
    Arbitrary<List<List<String>>> payloads() {
        // As jsonb writes them, each class of equals in several forms.
        Arbitrary<String> elements = Arbitraries.of(
                "1",
                "1.0",
                "1.00",
                "\"1\"",
                "2",
                "2.0",
                "0",
                "0.0",
                "10",
                "10.0",
                "0.1",
                "0.10",
                "[1]",
                "[1.0]",
                "{\"a\": 2}",
                "{\"a\": 2.0}",
                "true",
                "null");
        return elements.list().ofMaxSize(7).list().ofMinSize(2).ofMaxSize(5);
    }

    /** A type of its own, so that a try does not meet the jobs of another. */
    private static JobType<String> type() {
        return JobType.named("UNION " + KEYS.incrementAndGet(), String.class)
                .onePendingPer(json -> "k")
                .merging(Merge.union("ids"))
                .codec(RawJson.CODEC)
                .build();
    }

    private static String json(List<String> elements) {
        return "{\"ids\": [" + String.join(", ", elements) + "]}";
    }

    private static void assertUnited(long id, List<List<String>> payloads) {
        List<String> united = payloads.stream().reduce(UnionOrderTest::united).orElseThrow();
        assertThat(DATABASE.job(id).getConfig().data()).isEqualTo(json(united));
    }

    /** {@link MergeModel#union}, with the elements as they are written. */
    private static List<String> united(List<String> older, List<String> newer) {
        List<String> all = new ArrayList<>(older);
        for (String element : newer) {
            Object value = value(element);
            if (all.stream().noneMatch(known -> Objects.equals(value(known), value))) {
                all.add(element);
            }
        }
        return all;
    }

    private static Object value(String json) {
        return MergeModel.of(JSON.readValue(json, Object.class));
    }
}
