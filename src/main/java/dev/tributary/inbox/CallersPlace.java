package dev.tributary.inbox;

import dev.tributary.InvalidArgument;
import dev.tributary.internal.CallerTransaction;
import dev.tributary.internal.sql.IngestOnce;
import java.util.List;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Record3;

/**
 * All is one batch under a savepoint: if it fails, nothing of it stays, and the caller's transaction can go on.
 *
 * @param lent the transaction as the action is to see it
 */
record CallersPlace(CallerTransaction transaction, DSLContext lent) implements Place {
    private static final long MOST_CHARACTERS = 64L * 1024 * 1024;
    private static final Set<String> SNAPSHOT_OF_EACH_STATEMENT = Set.of("read committed", "read uncommitted");

    @Override
    public Ingested ingest(List<Delivery> deliveries, Ingest ingest, ServerLocks serverLocks) {
        EventBatch batch = EventBatch.whole(deliveries);
        ingest.terms().checkUndivided(batch.firsts().size());
        checkLength(deliveries);
        serverLocks.check(ingest.terms(), transaction);
        try {
            Classified classified = transaction.runWhole(tx -> {
                once(tx, ingest.terms());
                return ingest.run(tx, lent, batch);
            });
            return Ingested.of(List.of(classified));
        } catch (ActionFailed e) {
            throw IngestFailed.of(batch, 1, 1, Ingested.of(List.of()), e.thrown());
        }
    }

    private static void checkLength(List<Delivery> deliveries) {
        long characters = deliveries.stream().mapToLong(Delivery::characters).sum();
        if (characters > MOST_CHARACTERS) {
            throw new InvalidArgument(
                    "the events have " + characters + " characters; a call in the caller's transaction takes at"
                            + " most " + MOST_CHARACTERS + ": ingest in several transactions");
        }
    }

    private static void once(DSLContext tx, Terms terms) {
        Record3<String, String, String> transaction = tx.fetchSingle(IngestOnce.query());
        if (transaction.value1().equals("true")) {
            throw UnsuitableTransaction.usedBefore();
        }
        if (terms.takesLocks() && !SNAPSHOT_OF_EACH_STATEMENT.contains(transaction.value2())) {
            throw UnsuitableTransaction.isolation(transaction.value2());
        }
    }
}
