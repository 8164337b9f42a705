package dev.tributary.batch;

import dev.tributary.internal.sql.RowKey;

/** A row that cannot be written. */
record FailedRow(RowKey key, RuntimeException cause) {}
