package dev.tributary.inbox;

import dev.tributary.internal.Dialect;
import dev.tributary.internal.OwnTransactions;
import java.util.ArrayList;
import java.util.List;
import org.jooq.exception.DataAccessException;

/** Each batch is a transaction, and the first that fails is the last. */
record OwnPlace(OwnTransactions transactions) implements Place {
    @Override
    public Ingested ingest(List<Delivery> deliveries, Ingest ingest, ServerLocks serverLocks) {
        serverLocks.check(ingest.terms(), transactions);
        List<EventBatch> batches = EventBatch.slices(deliveries, ingest.terms().mostKeys());
        List<Classified> committed = new ArrayList<>();
        for (EventBatch batch : batches) {
            try {
                committed.add(transactions.run(tx -> ingest.run(tx, Dialect.lent(tx), batch)));
            } catch (DataAccessException | ActionFailed e) {
                Throwable cause = e instanceof ActionFailed failed ? failed.thrown() : e;
                throw IngestFailed.of(batch, committed.size() + 1, batches.size(), Ingested.of(committed), cause);
            }
        }
        return Ingested.of(committed);
    }
}
