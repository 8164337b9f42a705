package dev.tributary;

import java.util.List;

/**
 * What {@link JobQueue#rescue} did, job by job, in the order of their merge keys.
 *
 * @param jobs one answer for each job whose lease had expired; never null, empty if there was none
 */
public record Rescued(List<Requeued> jobs) {
    public Rescued {
        jobs = List.copyOf(jobs);
    }
}
