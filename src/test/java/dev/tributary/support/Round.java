package dev.tributary.support;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.Enqueued;
import dev.tributary.Job;
import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.Requeued;
import dev.tributary.Rescued;
import dev.tributary.ReservedJob;
import dev.tributary.Settled;
import java.time.Duration;
import java.util.List;

/** Every verb of a queue once, with every answer checked. No other job of {@link Refresh#TYPE} may be due meanwhile. */
public final class Round {
    private Round() {}

    /** Leaves nothing pending or running. */
    public static void on(JobQueue queue, String key) {
        Enqueued first = queue.enqueue(TYPE, Refresh.of(key, "p1"));
        assertThat(first).isInstanceOf(Enqueued.Inserted.class);
        assertThat(queue.enqueue(TYPE, Refresh.of(key, "p2"))).isEqualTo(new Enqueued.Merged(first.jobId()));
        List<Enqueued> all = queue.enqueueAll(
                TYPE, List.of(Refresh.of(key + "b", "q1"), Refresh.of(key, "p3"), Refresh.of(key + "b", "q2")));
        long second = all.get(0).jobId();
        assertThat(all)
                .containsExactly(
                        new Enqueued.Inserted(second), new Enqueued.Merged(first.jobId()), new Enqueued.Merged(second));

        ReservedJob<Refresh> job = reserved(queue, first.jobId(), Refresh.of(key, "p1", "p2", "p3"));
        assertThat(queue.renew(job, LEASE)).isEqualTo(Settled.DONE);
        long newer = queue.enqueue(TYPE, Refresh.of(key, "p4", "p1")).jobId();
        assertThat(queue.requeue(job, "busy")).isEqualTo(new Requeued.MergedInto(job.id(), newer));
        assertThat(queue.complete(job)).isEqualTo(Settled.LEASE_LOST);

        ReservedJob<Refresh> other = reserved(queue, second, Refresh.of(key + "b", "q1", "q2"));
        assertThat(queue.requeue(other, "busy")).isEqualTo(new Requeued.Returned(second));
        assertThat(queue.complete(reserved(queue, newer, Refresh.of(key, "p1", "p2", "p3", "p4")), List.of("ok")))
                .isEqualTo(Settled.DONE);
        assertThat(queue.fail(reserved(queue, second, Refresh.of(key + "b", "q1", "q2")), "no such catalogue"))
                .isEqualTo(Settled.DONE);
        assertThat(queue.retry(TYPE, second)).contains(new Requeued.Returned(second));
        rescue(queue, second);
        assertThat(queue.complete(reserved(queue, second, Refresh.of(key + "b", "q1", "q2"))))
                .isEqualTo(Settled.DONE);

        Job merged = queue.find(first.jobId()).orElseThrow();
        assertThat(merged.status()).isEqualTo(JobStatus.COMPLETED);
        assertThat(merged.mergedIntoJobId()).isEqualTo(newer);
        assertThat(queue.find(newer).orElseThrow().resultJson()).isEqualTo("[\"ok\"]");
        assertThat(queue.find(second).orElseThrow().attempts()).isEqualTo(2);
        assertThat(queue.find(Long.MAX_VALUE)).isEmpty();
        assertThat(queue.reserve(TYPE, 10, LEASE)).isEmpty();
    }

    /** The database's clock moves on between two statements, so that a lease of a nanosecond has expired by the next. */
    private static void rescue(JobQueue queue, long id) {
        ReservedJob<Refresh> job = queue.reserve(TYPE, 1, Duration.ofNanos(1)).get(0);
        Rescued rescued = queue.rescue(TYPE, 10);
        assertThat(rescued.jobs()).containsExactly(new Requeued.Returned(id));
        assertThat(queue.renew(job, LEASE)).isEqualTo(Settled.LEASE_LOST);
    }

    private static ReservedJob<Refresh> reserved(JobQueue queue, long id, Refresh payload) {
        List<ReservedJob<Refresh>> jobs = queue.reserve(TYPE, 1, LEASE);
        assertThat(jobs).extracting(ReservedJob::id).containsExactly(id);
        assertThat(jobs.get(0).payload()).isEqualTo(payload);
        return jobs.get(0);
    }
}
