/**
 * The queue as its callers see it: {@link dev.tributary.JobQueue}, the job types it carries, and the answers it gives.
 * SQL lives in {@code internal.sql}, one class a statement; the generated tables in {@link dev.tributary.db}.
 * Begin at {@link dev.tributary.JobQueue}; the rule of merging is told in {@code docs/coalescing.md}.
 */
@NullMarked
package dev.tributary;

import org.jspecify.annotations.NullMarked;
