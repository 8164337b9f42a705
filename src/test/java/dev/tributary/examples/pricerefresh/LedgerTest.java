package dev.tributary.examples.pricerefresh;

import static dev.tributary.examples.pricerefresh.Refresh.PRICE_REFRESH;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.JobQueue;
import dev.tributary.Requeued;
import dev.tributary.ReservedJob;
import dev.tributary.support.Database;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LedgerTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();
    private final Ledger ledger = new Ledger();
    /** When the last job was reserved. */
    private long reserved;

    @Test
    void whatWasRecalculatedAfterItsRequestIsRecalculated() {
        request("c1", "p1", "p2");
        done(reserve());

        assertThat(balance()).isEqualTo(new Balance(2, 2, 0, 0, 0));
    }

    @Test
    void aRequestAfterTheLastRecalculationWaits() {
        request("c1", "p1");
        done(reserve());
        request("c1", "p1");

        assertThat(balance()).isEqualTo(new Balance(1, 0, 1, 0, 0));
    }

    @Test
    void aRequestIntoAJobThatWasRecalculatedBeforeItWaits() {
        request("c1", "p1");
        ReservedJob<Refresh> job = reserve();
        ledger.recalculated(job.id(), "c1", List.of("p1"), reserved);
        returned(job);
        request("c1", "p1");

        assertThat(balance()).isEqualTo(new Balance(1, 0, 1, 0, 0));
        done(reserve());
        assertThat(balance()).isEqualTo(new Balance(1, 1, 0, 0, 0));
    }

    @Test
    void aRequestIsFollowedThroughMerges() {
        request("c1", "p1");
        ReservedJob<Refresh> first = reserve();
        request("c1", "p2");
        ReservedJob<Refresh> second = reserve();
        request("c1", "p3");
        assertThat(requeue(first)).isInstanceOf(Requeued.MergedInto.class);
        assertThat(requeue(second)).isInstanceOf(Requeued.MergedInto.class);
        assertThat(balance()).isEqualTo(new Balance(3, 0, 3, 0, 0));

        done(reserve());

        assertThat(balance()).isEqualTo(new Balance(3, 3, 0, 0, 0));
    }

    @Test
    void aMergeWhoseAnswerDidNotArriveIsReadFromTheRow() {
        request("c1", "p1");
        ReservedJob<Refresh> first = reserve();
        request("c1", "p2");
        queue.requeue(first, "refused", Duration.ZERO);
        done(reserve());

        assertThat(balance()).isEqualTo(new Balance(2, 2, 0, 0, 0));
    }

    @Test
    void aRecalculationOfTheAbsorbingJobBeforeTheMergeDoesNotCount() {
        request("c1", "p1");
        ReservedJob<Refresh> first = reserve();
        request("c1", "p1");
        ReservedJob<Refresh> second = reserve();
        ledger.recalculated(second.id(), "c1", List.of("p1"), reserved);
        returned(second);
        requeue(first);

        assertThat(balance()).isEqualTo(new Balance(1, 0, 1, 0, 0));
    }

    @Test
    void aProductThatTheEngineLeftOutIsLost() {
        request("c1", "p1", "p2");
        ReservedJob<Refresh> job = reserve();
        ledger.recalculated(job.id(), "c1", List.of("p1"), reserved);
        queue.complete(job);

        assertThat(balance()).isEqualTo(new Balance(2, 1, 0, 0, 1));
    }

    @Test
    void aJobCompletedWithoutARecalculationLosesWhatItCarried() {
        request("c1", "p1");
        queue.complete(reserve());

        assertThat(balance()).isEqualTo(new Balance(1, 0, 0, 0, 1));
    }

    @Test
    void aRecalculationOfTheSameIdInAnotherCatalogueDoesNotCount() {
        request("c1", "p1");
        ReservedJob<Refresh> job = reserve();
        ledger.recalculated(job.id(), "c2", List.of("p1"), reserved);
        queue.complete(job);

        assertThat(balance()).isEqualTo(new Balance(1, 0, 0, 0, 1));
    }

    @Test
    void oneLostRequestOfSeveralForAProductMakesItLost() {
        request("c1", "p1");
        queue.complete(reserve());
        request("c1", "p1");
        done(reserve());

        assertThat(balance()).isEqualTo(new Balance(1, 0, 0, 0, 1));
    }

    @Test
    void aRowThatIsGoneLosesWhatItCarried() {
        request("c1", "p1");
        request("c2", "p1");

        assertThat(ledger.balance(id -> Optional.empty())).isEqualTo(new Balance(2, 0, 0, 0, 2));
    }

    @Test
    void anIdThatAMergeDroppedIsLost() {
        request("c1", "p1", "p2");
        database.execute("UPDATE tributary.jobs SET config = jsonb_set(config, '{productIds}', '[\"p2\"]')");

        assertThat(balance()).isEqualTo(new Balance(2, 0, 1, 0, 1));
    }

    @Test
    void whatAFailedJobCarriesIsFailed() {
        request("c1", "p1");
        queue.fail(reserve(), "no attempt left");

        assertThat(balance()).isEqualTo(new Balance(1, 0, 0, 1, 0));
    }

    @Test
    void whatARunningJobCarriesWaits() {
        request("c1", "p1");
        reserve();

        assertThat(balance()).isEqualTo(new Balance(1, 0, 1, 0, 0));
    }

    private void request(String catalogId, String... productIds) {
        Refresh refresh = new Refresh(catalogId, List.of(productIds));
        long before = ledger.now();
        ledger.requested(refresh, queue.enqueue(PRICE_REFRESH, refresh).jobId(), before);
    }

    private ReservedJob<Refresh> reserve() {
        database.makeDue();
        ReservedJob<Refresh> job =
                queue.reserve(PRICE_REFRESH, 1, Duration.ofMinutes(1)).get(0);
        reserved = ledger.now();
        return job;
    }

    private void done(ReservedJob<Refresh> job) {
        ledger.recalculated(job.id(), job.payload().catalogId(), job.payload().productIds(), reserved);
        queue.complete(job);
    }

    private Requeued requeue(ReservedJob<Refresh> job) {
        long before = ledger.now();
        Requeued answer = queue.requeue(job, "refused", Duration.ZERO);
        ledger.requeued(answer, before);
        return answer;
    }

    private void returned(ReservedJob<Refresh> job) {
        assertThat(requeue(job)).isInstanceOf(Requeued.Returned.class);
    }

    private Balance balance() {
        return ledger.balance(queue::find);
    }
}
