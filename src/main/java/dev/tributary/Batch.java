package dev.tributary;

import static dev.tributary.db.Tables.JOBS;

import dev.tributary.internal.sql.EnqueueAll;
import dev.tributary.internal.sql.FullJobs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.Result;

/** Many requests of one type, enqueued by one statement, answered one by one. */
record Batch(JobType<?> type, List<Request> requests, Optional<String> channel) {
    List<Enqueued> enqueue(DSLContext tx) {
        return type.merge().map(merge -> keyed(tx, merge)).orElseGet(() -> unkeyed(tx));
    }

    private List<Enqueued> keyed(DSLContext tx, Merge merge) {
        String[] keys = requests.stream().map(Request::key).toArray(String[]::new);
        Result<Record> jobs = tx.fetch(EnqueueAll.keyed(type, merge, keys, configs(), channel));
        if (jobs.isEmpty()) {
            throw PendingJobFull.of(
                    type, tx.fetch(FullJobs.query(type, merge, keys, configs())).getValues(0, String.class));
        }
        Map<String, Record> jobOf = jobs.intoMap(JOBS.MERGE_KEY);
        Map<String, Long> requestsOf =
                requests.stream().collect(Collectors.groupingBy(Request::key, HashMap::new, Collectors.counting()));
        List<Enqueued> answers = new ArrayList<>(requests.size());
        for (String key : keys) {
            Record job = jobOf.get(key);
            // A new job has absorbed all requests of its key but the first. Removing the count answers "first" only
            // once.
            Long absorbed = requestsOf.remove(key);
            boolean inserted = absorbed != null && job.get(JOBS.MERGE_COUNT) == absorbed - 1;
            answers.add(inserted ? new Enqueued.Inserted(job.get(JOBS.ID)) : new Enqueued.Merged(job.get(JOBS.ID)));
        }
        return answers;
    }

    private List<Enqueued> unkeyed(DSLContext tx) {
        return tx.fetch(EnqueueAll.unkeyed(type, configs(), channel))
                .map(job -> new Enqueued.Inserted(job.get(JOBS.ID)));
    }

    private JSONB[] configs() {
        return requests.stream().map(Request::config).toArray(JSONB[]::new);
    }
}
