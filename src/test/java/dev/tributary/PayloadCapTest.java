package dev.tributary;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.db.tables.records.JobsRecord;
import dev.tributary.internal.Text;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import dev.tributary.support.Session;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link JobType.Builder#maxPayloadBytes} counts the text of the merged payload, not what PostgreSQL compresses it to. */
class PayloadCapTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private static final int CAP = 100_000;
    /** Of which PostgreSQL stores less than a tenth. */
    private static final String COMPRESSIBLE = "x".repeat(30_000);

    private final JobQueue queue = database.queue();
    private final JobType<Refresh> capped = type("CAPPED", CAP);

    private static JobType<Refresh> type(String name, int cap) {
        return JobType.named(name, Refresh.class)
                .onePendingPer(Refresh::catalogId)
                .merging(Merge.union("productIds"))
                .maxPayloadBytes(cap)
                .backoff(Backoff.none())
                .build();
    }

    @Test
    void isNotStretchedByCompression() {
        for (int i = 0; i < 3; i++) {
            queue.enqueue(capped, Refresh.of("c1", COMPRESSIBLE + i));
        }
        assertThat(stored()).isLessThan(CAP / 10);
        List<JobsRecord> before = database.jobs();
        refusesToGrow(q -> q.enqueue(capped, Refresh.of("c1", COMPRESSIBLE + 3)), "\"c1\"");
        assertThat(database.jobs()).isEqualTo(before);
    }

    @Test
    void countsWhatTheMergeMakesAndNotWhatIsAddedToIt() {
        Refresh known = Refresh.of("c1", COMPRESSIBLE + 0, COMPRESSIBLE + 1, COMPRESSIBLE + 2);
        long id = queue.enqueue(capped, known).jobId();
        assertThat(queue.enqueue(capped, known)).isEqualTo(new Enqueued.Merged(id));
        assertThat(queue.enqueueAll(capped, List.of(known, known)))
                .containsExactly(new Enqueued.Merged(id), new Enqueued.Merged(id));
        assertThat(ids(database.job(id).getConfig().data())).isEqualTo(known.productIds());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void isKeptToTheByteOfTheTextThatIsRead(int missing) {
        queue.enqueue(capped, Refresh.of("c1", "é", "b"));
        queue.enqueue(capped, Refresh.of("c1", "c"));
        int bytes = Text.bytes(database.jobs().get(0).getConfig().data());
        JobType<Refresh> exact = type("EXACT", bytes - missing);
        queue.enqueue(exact, Refresh.of("c1", "é", "b"));
        if (missing == 0) {
            assertThat(queue.enqueue(exact, Refresh.of("c1", "c"))).isInstanceOf(Enqueued.Merged.class);
        } else {
            refusesToGrow(q -> q.enqueue(exact, Refresh.of("c1", "c")), "\"c1\"");
        }
    }

    @Test
    void holdsForABatchIntoAPendingJobAndNothingOfTheBatchIsWritten() {
        queue.enqueue(capped, Refresh.of("c1", COMPRESSIBLE + 0, COMPRESSIBLE + 1));
        queue.enqueue(capped, Refresh.of("c2", "p1"));
        List<JobsRecord> before = database.jobs();
        refusesToGrow(
                q -> q.enqueueAll(
                        capped,
                        List.of(
                                Refresh.of("c0", "p1"),
                                Refresh.of("c1", COMPRESSIBLE + 2),
                                Refresh.of("c2", "p2"),
                                Refresh.of("c1", COMPRESSIBLE + 3))),
                "payload of \"c1\" would");
        assertThat(database.jobs()).isEqualTo(before);
    }

    @Test
    void holdsForABatchThatIsTooMuchByItself() {
        List<Refresh> batch = IntStream.range(0, 5)
                .mapToObj(i -> Refresh.of("c1", COMPRESSIBLE + i))
                .toList();
        refusesToGrow(q -> q.enqueueAll(capped, batch), "payload of \"c1\" would");
        assertThat(database.jobs()).isEmpty();
        assertThat(queue.enqueueAll(capped, batch.subList(0, 3)).get(0)).isInstanceOf(Enqueued.Inserted.class);
    }

    @Test
    void namesTheFirstOfManyKeysAndShortensThem() {
        List<Refresh> batch = IntStream.range(0, 10)
                .mapToObj(i -> Refresh.of("k" + i % 5 + "-".repeat(1000), COMPRESSIBLE + i, COMPRESSIBLE + "y" + i))
                .toList();
        refusesToGrow(q -> q.enqueueAll(capped, batch), "\"k0" + "-".repeat(38) + "…\", \"k1", "k2", "and other keys");
    }

    @Test
    void doesNotHoldForARequeueWhichNeverLosesItsWay() {
        queue.enqueue(capped, Refresh.of("c1", COMPRESSIBLE + 0, COMPRESSIBLE + 1));
        ReservedJob<Refresh> refused = queue.reserve(capped, 1, LEASE).get(0);
        long newer = queue.enqueue(capped, Refresh.of("c1", COMPRESSIBLE + 2, COMPRESSIBLE + 3))
                .jobId();
        assertThat(queue.requeue(refused, "busy")).isEqualTo(new Requeued.MergedInto(refused.id(), newer));
        assertThat(ids(database.job(newer).getConfig().data())).hasSize(4);
        refusesToGrow(q -> q.enqueue(capped, Refresh.of("c1", "p1")), "\"c1\"");
    }

    private interface Verb {
        Object on(JobQueue queue);
    }

    /** On the queue's own connection, and in a transaction that goes on afterwards. */
    private void refusesToGrow(Verb verb, String... words) {
        assertRefused(verb, queue, words);
        try (Session tx = database.session()) {
            tx.does(q -> {
                assertRefused(verb, q, words);
                return true;
            });
            tx.<Enqueued>does(q -> q.enqueue(type("AFTERWARDS", CAP), Refresh.of("c1", "p1")));
            tx.rollsBack();
        }
    }

    private static void assertRefused(Verb verb, JobQueue queue, String... words) {
        assertThatExceptionOfType(PendingJobFull.class)
                .isThrownBy(() -> verb.on(queue))
                .satisfies(e -> assertThat(e.getMessage())
                        .contains("nothing was enqueued", "bytes (maxPayloadBytes)")
                        .contains(words));
    }

    private static int stored() {
        return database.sql(db -> db.fetchSingle("SELECT max(pg_column_size(config)) FROM tributary.jobs")
                .get(0, Integer.class));
    }
}
