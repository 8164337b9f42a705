package dev.tributary.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.Backoff;
import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.JobType;
import dev.tributary.Merge;
import dev.tributary.support.Cuts;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The backend of a worker is terminated before each of its statements and commits in turn. */
class CutTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue others = database.queue();
    private final JobType<Refresh> type = JobType.named("PRICE_REFRESH", Refresh.class)
            .onePendingPer(Refresh::catalogId)
            .merging(Merge.union("productIds"))
            .backoff(Backoff.none())
            .build();

    @Test
    void nothingIsLostWhereverTheConnectionIsCut() {
        int boundary = 0;
        boolean cut = true;
        while (cut) {
            boundary++;
            database.execute("TRUNCATE tributary.jobs");
            Cuts cuts = new Cuts(database, boundary);
            assertThat(handledBy(JobQueue.on(cuts.dataSource())))
                    .as("cut before boundary " + boundary)
                    .containsExactlyInAnyOrder("d1", "d2", "r1", "r2", "x1");
            assertThat(database.jobs()).allMatch(job -> job.getStatus() == JobStatus.COMPLETED);
            cut = cuts.happened();
        }
        assertThat(boundary).as("boundaries").isGreaterThan(15);
    }

    /** A job to rescue into a newer one, one that is refused while a newer one comes, and one that is done at once. */
    private Set<String> handledBy(JobQueue queue) {
        others.enqueue(type, Refresh.of("dropped", "d1"));
        others.reserve(type, 1, Duration.ofMinutes(1));
        database.expireLeases();
        others.enqueue(type, Refresh.of("dropped", "d2"));
        others.enqueue(type, Refresh.of("refused", "r1"));
        others.enqueue(type, Refresh.of("done", "x1"));
        Set<String> handled = new HashSet<>();
        AtomicBoolean refused = new AtomicBoolean();
        Worker worker = Worker.on(queue)
                .handle(type, job -> {
                    if (job.mergeKey().equals(Optional.of("refused")) && refused.compareAndSet(false, true)) {
                        others.enqueue(type, Refresh.of("refused", "r2"));
                        return Outcome.refused("queue full");
                    }
                    handled.addAll(job.payload().productIds());
                    return Outcome.done();
                })
                .build();
        for (int round = 0; round < 10 && !allEnded(); round++) {
            try {
                worker.runOnce();
            } catch (DataAccessException cut) {
                assertThat(cut.sqlState()).matches("08...|57P01");
            }
            database.expireLeases();
        }
        return handled;
    }

    private static boolean allEnded() {
        return database.jobs(JobStatus.PENDING).isEmpty()
                && database.jobs(JobStatus.RUNNING).isEmpty();
    }
}
