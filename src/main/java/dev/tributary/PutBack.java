package dev.tributary;

import static dev.tributary.db.Tables.JOBS;

import dev.tributary.db.tables.records.JobsRecord;
import dev.tributary.internal.Arguments;
import dev.tributary.internal.CallerTransaction;
import dev.tributary.internal.Chance;
import dev.tributary.internal.ErrorText;
import dev.tributary.internal.Requeue;
import dev.tributary.internal.Steps;
import dev.tributary.internal.Unfailing;
import dev.tributary.internal.sql.Refused;
import dev.tributary.internal.sql.Rescue;
import dev.tributary.internal.sql.Retry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All ways back to PENDING: a refusal, an expired lease, a retry. The last two take the job over first. */
final class PutBack {
    private static final Logger LOG = LoggerFactory.getLogger(JobQueue.class);
    /** Of a job taken over: as long as it may stay behind, if the rescuer dies or a lock does not come. */
    private static final Duration LEASE = Duration.ofSeconds(10);

    /** pid@host, for column locked_by. */
    static final String HOLDER = ManagementFactory.getRuntimeMXBean().getName();

    private final Steps steps;

    PutBack(Steps steps) {
        this.steps = steps;
    }

    /** What the type's backoff says, checked: it may be the user's own. */
    static Duration backoff(ReservedJob<?> job) {
        Duration delay = job.type().backoff().delay(job.attempt());
        Arguments.delay("the backoff of " + job.type().name() + " after attempt " + job.attempt(), delay);
        return delay;
    }

    Requeued refused(ReservedJob<?> job, @Nullable String reason, Duration delay) {
        Refused refused = new Refused(job.id(), job.lockToken(), delay, ErrorText.storable(reason), true);
        return job.attempt() >= job.maxAttempts()
                ? told(job, new Requeue(steps).exhaust(refused))
                : putBack(job, refused);
    }

    /** The attempt is not spent, so it cannot be the last. */
    Requeued givenBack(ReservedJob<?> job, @Nullable String reason, Duration delay) {
        return putBack(job, new Refused(job.id(), job.lockToken(), delay, ErrorText.storable(reason), false));
    }

    private Requeued putBack(ReservedJob<?> job, Refused refused) {
        return told(
                job,
                new Requeue(steps)
                        .putBack(
                                refused, job.mergeKey().orElse(null), job.type().merge()));
    }

    private static Requeued told(ReservedJob<?> job, Requeued answer) {
        if (answer instanceof Requeued.LeaseLost) {
            LOG.info("{}: lease lost, requeue changed nothing", job);
        }
        return answer;
    }

    Rescued expired(JobType<?> type, int limit) {
        List<JobsRecord> expired = steps.run(
                tx -> tx.fetch(Rescue.query(type.name(), limit, LEASE, HOLDER)).into(JOBS));
        List<Requeued> answers = new ArrayList<>();
        boolean outage = false;
        for (JobsRecord row : expired) {
            ReservedJob<?> job = new Reservation<>(type, row);
            try {
                answers.add(refused(job, "lease expired", backoffOrDefault(job)));
                outage = false;
            } catch (RuntimeException e) {
                // After an error the caller's transaction can do no more, and without a server nobody can; but one
                // connection that was cut is no outage yet.
                if (steps instanceof CallerTransaction || (outage && Chance.after(e) == Chance.OUTAGE)) {
                    throw e;
                }
                outage = Chance.after(e) == Chance.OUTAGE;
                Unfailing.log(() -> LOG.warn("{}: cannot be put back now, a later rescue will try again", job, e));
            }
        }
        return new Rescued(answers);
    }

    /** For who has nobody to tell that a backoff is broken, and must not leave the job where it is because of that. */
    static Duration backoffOrDefault(ReservedJob<?> job) {
        try {
            return backoff(job);
        } catch (RuntimeException | Error e) {
            Unfailing.log(() -> LOG.warn("{}: the backoff of its type cannot be used, the default is", job, e));
            return Backoff.DEFAULT.delay(job.attempt());
        }
    }

    Optional<Requeued> failed(JobType<?> type, long id) {
        return steps.together(all -> all.run(tx -> tx.fetchOptional(Retry.query(type.name(), id, LEASE, HOLDER)))
                .map(row -> new PutBack(all)
                        .refused(
                                new Reservation<>(type, row),
                                Objects.requireNonNullElse(row.getLastError(), "retried"),
                                Duration.ZERO)));
    }
}
