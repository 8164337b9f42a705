package dev.tributary.inbox;

import java.util.List;

/** Where batches are ingested: in transactions of the inbox's own, or in the caller's. */
interface Place {
    /** @param deliveries at least one */
    Ingested ingest(List<Delivery> deliveries, Ingest ingest, ServerLocks serverLocks);
}
