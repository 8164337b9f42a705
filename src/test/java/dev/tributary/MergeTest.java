package dev.tributary;

import static dev.tributary.support.Refresh.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.support.Database;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.PreferQueryMode;

/** What two payloads become, each example on enqueue, in a batch and on requeue. */
class MergeTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();

    @ParameterizedTest
    @MethodSource("dev.tributary.MergeExamples#all")
    void anEnqueueMergesIntoTheOlderPendingJob(MergeExamples.Example example) {
        JobType<String> type = example.type();
        long id = queue.enqueue(type, example.older()).jobId();
        assertThat(queue.enqueue(type, example.newer())).isEqualTo(new Enqueued.Merged(id));
        assertMerged(example, id);
    }

    @ParameterizedTest
    @MethodSource("dev.tributary.MergeExamples#all")
    void aBatchMergesThePayloadsOfAKeyInTheirOrder(MergeExamples.Example example) {
        List<Enqueued> jobs = queue.enqueueAll(example.type(), List.of(example.older(), example.newer()));
        assertMerged(example, jobs.get(0).jobId());
    }

    @ParameterizedTest
    @MethodSource("dev.tributary.MergeExamples#all")
    void aRequeueMergesTheOlderRunningJobIntoThePendingOne(MergeExamples.Example example) {
        JobType<String> type = example.type();
        queue.enqueue(type, example.older());
        ReservedJob<String> job = queue.reserve(type, 1, LEASE).get(0);
        long pending = queue.enqueue(type, example.newer()).jobId();
        assertThat(queue.requeue(job, "busy")).isEqualTo(new Requeued.MergedInto(job.id(), pending));
        assertMerged(example, pending);
    }

    @ParameterizedTest
    @MethodSource("dev.tributary.MergeExamples#fieldNames")
    void aFieldIsFoundByItsNameHoweverTheSessionReadsLiterals(MergeExamples.Example example) {
        PGSimpleDataSource dataSource = database.dataSource();
        dataSource.setOptions("-c standard_conforming_strings=off -c plan_cache_mode=force_generic_plan");
        dataSource.setPrepareThreshold(1);
        assertMergedIn(dataSource, example);
    }

    /** Here the driver itself writes the values into the statement. */
    @ParameterizedTest
    @MethodSource("dev.tributary.MergeExamples#fieldNames")
    void aFieldIsFoundByItsNameWhereTheDriverWritesTheLiterals(MergeExamples.Example example) {
        PGSimpleDataSource dataSource = database.dataSource();
        dataSource.setOptions("-c standard_conforming_strings=off");
        dataSource.setPreferQueryMode(PreferQueryMode.SIMPLE);
        assertMergedIn(dataSource, example);
    }

    private void assertMergedIn(PGSimpleDataSource dataSource, MergeExamples.Example example) {
        JobQueue session = JobQueue.on(dataSource);
        JobType<String> type = example.type();
        session.enqueue(type, example.older());
        ReservedJob<String> job = session.reserve(type, 1, LEASE).get(0);
        long id = session.enqueueAll(type, List.of(example.newer())).get(0).jobId();
        session.requeue(job, "busy");
        assertMerged(example, id);
    }

    /** As text, since jsonb calls 1 and 1.0 equal and a payload keeps which of them it is. */
    private static void assertMerged(MergeExamples.Example example, long id) {
        String expected = database.sql(
                db -> db.fetchSingle("SELECT ?::jsonb::text", example.merged()).get(0, String.class));
        assertThat(database.job(id).getConfig().data()).isEqualTo(expected);
    }
}
