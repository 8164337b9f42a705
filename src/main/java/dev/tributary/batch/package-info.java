/**
 * Works through the rows of any table in batches: {@link dev.tributary.batch.BatchDaemon}. A batch is chosen from the rows that
 * are still to do, and what left that set is counted. Read {@code Run.once} first; the statements are {@code BatchWrite},
 * {@code BatchLock}, {@code BatchInsert} and {@code StillInSet} in {@code internal.sql}. The rule: {@code docs/batch.md}.
 */
@NullMarked
package dev.tributary.batch;

import org.jspecify.annotations.NullMarked;
