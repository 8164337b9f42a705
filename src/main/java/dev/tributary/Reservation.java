package dev.tributary;

import dev.tributary.db.tables.records.JobsRecord;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A {@link ReservedJob} over the row that the database returned. */
record Reservation<P>(JobType<P> type, JobsRecord row) implements ReservedJob<P> {
    private static final Comparator<JobsRecord> MOST_URGENT_FIRST = Comparator.comparing(JobsRecord::getPriority)
            .reversed()
            .thenComparing(JobsRecord::getRunAt)
            .thenComparing(JobsRecord::getId);

    /** UPDATE … RETURNING answers in no order. */
    static <P> List<ReservedJob<P>> of(JobType<P> type, List<JobsRecord> rows) {
        return rows.stream()
                .sorted(MOST_URGENT_FIRST)
                .<ReservedJob<P>>map(row -> new Reservation<>(type, row))
                .toList();
    }

    @Override
    public long id() {
        return row.getId();
    }

    @Override
    public Optional<String> mergeKey() {
        return Optional.ofNullable(row.getMergeKey());
    }

    @Override
    public P payload() {
        try {
            return type.codec().decode(payloadJson());
        } catch (RuntimeException e) {
            throw new InvalidPayload(type.name() + " job " + id() + ": the codec cannot decode its payload", e);
        }
    }

    @Override
    public String payloadJson() {
        return row.getConfig().data();
    }

    @Override
    public int attempt() {
        return row.getAttempts();
    }

    @Override
    public int maxAttempts() {
        return row.getMaxAttempts();
    }

    @Override
    public UUID lockToken() {
        return row.getLockToken();
    }

    @Override
    public Instant leaseUntil() {
        return row.getLeaseUntil();
    }

    @Override
    public int priority() {
        return row.getPriority();
    }

    @Override
    public int mergeCount() {
        return row.getMergeCount();
    }

    @Override
    public Instant firstEnqueuedAt() {
        return row.getFirstEnqueuedAt();
    }

    @Override
    public String toString() {
        return type.name() + " job " + id()
                + mergeKey().map(key -> " of " + key).orElse("");
    }
}
