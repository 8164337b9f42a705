package dev.tributary.batch;

import dev.tributary.InvalidArgument;
import dev.tributary.JobStatus;
import dev.tributary.internal.Arguments;
import dev.tributary.internal.sql.Expired;
import dev.tributary.internal.sql.WorkSet;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * Daemons that delete old rows of the library's own tables. On by choice: nothing is deleted as long as none of them is started.
 * The role needs {@code DELETE} on the table.
 *
 * <pre>{@code
 * Retention.jobs(JobStatus.COMPLETED, Duration.ofDays(30)).every(Duration.ofHours(1)).on(dataSource).start();
 * }</pre>
 */
public final class Retention {
    private static final Set<JobStatus> ENDED = EnumSet.of(JobStatus.COMPLETED, JobStatus.FAILED, JobStatus.CANCELLED);

    private Retention() {}

    /**
     * Deletes jobs that ended with this status so long ago, by the clock of the database. A job that others were merged into
     * stays until those are gone, whatever their age: one run for each link of a chain. The payload of a FAILED job is deleted
     * with it, and {@code retry} finds nothing.
     *
     * @param status COMPLETED, FAILED or CANCELLED; a daemon for each
     * @param age zero or more, from the end of the job
     * @throws InvalidArgument if an argument is null or out of range
     */
    public static BatchOptions jobs(JobStatus status, Duration age) {
        if (!ENDED.contains(Arguments.notNull("the status", status))) {
            throw new InvalidArgument("the status is " + status + ": only jobs that have ended are deleted, " + ENDED);
        }
        Arguments.delay("the age", age);
        return deleting("retention of " + status.name().toLowerCase(Locale.ROOT) + " jobs", Expired.jobs(status, age));
    }

    /**
     * Deletes events of the inbox that were accepted so long ago, by the clock of the database. An event that is delivered again
     * after that is new, and its action runs again: the age has to be longer than any redelivery.
     *
     * @param age zero or more
     * @throws InvalidArgument if it is null or out of range
     */
    public static BatchOptions events(Duration age) {
        Arguments.delay("the age", age);
        return deleting("retention of events", Expired.events(age));
    }

    private static BatchOptions deleting(String name, WorkSet expired) {
        return new BatchOptions(name, Sweep.through(expired, new Writes.Delete()));
    }
}
