package dev.tributary;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.TYPE;
import static dev.tributary.support.Refresh.ids;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

class EnqueueAllTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();

    @Test
    void answersEachPayloadInOrder() {
        long c2 = queue.enqueue(TYPE, Refresh.of("c2", "p0")).jobId();

        List<Enqueued> answers = queue.enqueueAll(
                TYPE,
                List.of(
                        Refresh.of("c3", "p1"),
                        Refresh.of("c2", "p2"),
                        Refresh.of("c1", "p3"),
                        Refresh.of("c3", "p4"),
                        Refresh.of("c2", "p5")));

        long c3 = answers.get(0).jobId();
        long c1 = answers.get(2).jobId();
        assertThat(answers)
                .containsExactly(
                        new Enqueued.Inserted(c3),
                        new Enqueued.Merged(c2),
                        new Enqueued.Inserted(c1),
                        new Enqueued.Merged(c3),
                        new Enqueued.Merged(c2));
        assertThat(ids(database.job(c3).getConfig().data())).containsExactly("p1", "p4");
        assertThat(ids(database.job(c2).getConfig().data())).containsExactly("p0", "p2", "p5");
        assertThat(database.job(c2).getMergeCount()).isEqualTo(2);
        assertThat(database.job(c3).getMergeCount()).isEqualTo(1);
    }

    @Test
    void mergesAKeyThatIsNamedTwice() {
        queue.enqueueAll(TYPE, List.of(Refresh.of("k", "1"), Refresh.of("k", "2")));
        assertThat(database.jobs()).hasSize(1);
        assertThat(ids(database.jobs().get(0).getConfig().data())).containsExactly("1", "2");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 9, 63, 64, 65, 1000})
    void keepsTheOrderOfAnyNumberOfPayloadsOfAKey(int count) {
        List<String> ids = IntStream.range(0, count).mapToObj(i -> "p" + i).toList();
        List<Enqueued> answers = queue.enqueueAll(
                TYPE, ids.stream().map(id -> Refresh.of("k", id)).toList());
        assertThat(ids(database.jobs().get(0).getConfig().data())).isEqualTo(ids);
        assertThat(answers.get(0)).isInstanceOf(Enqueued.Inserted.class);
        assertThat(answers.stream().skip(1)).allMatch(Enqueued.Merged.class::isInstance);
        assertThat(database.jobs().get(0).getMergeCount()).isEqualTo(count - 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void takesTenThousandPayloads(boolean reWriteBatchedInserts) throws SQLException {
        PGSimpleDataSource dataSource = database.dataSource();
        dataSource.setReWriteBatchedInserts(reWriteBatchedInserts);
        List<Refresh> payloads = IntStream.range(0, 10_000)
                .mapToObj(i -> Refresh.of("c" + i % 700, "p" + i, "p" + (i + 1)))
                .collect(Collectors.toCollection(ArrayList::new));
        Collections.shuffle(payloads, new Random(7));

        List<Enqueued> answers = JobQueue.on(dataSource).enqueueAll(TYPE, payloads);

        assertThat(answers).hasSize(10_000);
        assertThat(answers.stream().filter(Enqueued.Inserted.class::isInstance)).hasSize(700);
        Map<Long, List<String>> idsOf = database.jobs().stream()
                .collect(Collectors.toMap(
                        job -> job.getId(), job -> ids(job.getConfig().data())));
        for (int i = 0; i < payloads.size(); i++) {
            assertThat(idsOf.get(answers.get(i).jobId()))
                    .containsAll(payloads.get(i).productIds());
        }
    }

    @Test
    void foldsACustomMergeInOrder() {
        // Last writer wins as a whole, which shows the order of the fold.
        JobType<Refresh> latest = JobType.named("LATEST", Refresh.class)
                .onePendingPer(Refresh::catalogId)
                .merging((older, newer) -> newer)
                .build();
        queue.enqueueAll(
                latest,
                IntStream.range(0, 37).mapToObj(i -> Refresh.of("k", "p" + i)).toList());
        assertThat(ids(database.jobs().get(0).getConfig().data())).containsExactly("p36");
    }

    @Test
    void insertsEachPayloadOfATypeWithoutAKey() {
        JobType<Refresh> single = JobType.named("SINGLE", Refresh.class).build();
        List<Enqueued> answers =
                queue.enqueueAll(single, List.of(Refresh.of("k", "1"), Refresh.of("k", "2"), Refresh.of("k", "3")));
        assertThat(answers).allMatch(Enqueued.Inserted.class::isInstance);
        assertThat(answers)
                .extracting(answer ->
                        ids(database.job(answer.jobId()).getConfig().data()).get(0))
                .containsExactly("1", "2", "3");
        assertThat(queue.reserve(single, 10, LEASE)).hasSize(3);
    }

    @Test
    void asksTheDatabaseNothingForNoPayloads() {
        assertThat(queue.enqueueAll(TYPE, List.of())).isEmpty();
    }
}
