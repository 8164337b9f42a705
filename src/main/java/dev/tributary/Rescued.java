package dev.tributary;

import dev.tributary.internal.Arguments;
import java.util.List;

/**
 * What {@link JobQueue#rescue} did, job by job, in the order of their merge keys.
 *
 * @param jobs one answer for each job whose lease had expired; never null, empty if there was none
 */
public record Rescued(List<Requeued> jobs) {
    /** @throws InvalidArgument if the answers or one of them are null */
    public Rescued {
        Arguments.areNotNull("the answers", jobs).forEach(job -> Arguments.notNull("an answer", job));
        jobs = List.copyOf(jobs);
    }
}
