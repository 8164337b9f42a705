/**
 * Runs handlers for reserved jobs: {@link dev.tributary.worker.Worker}. It knows no SQL: everything it does with a job goes
 * through {@link dev.tributary.JobQueue} and {@link dev.tributary.Reservations}, and what it hears of new ones comes from
 * {@link dev.tributary.Notifications}. Read {@code Worker.runOnce} first.
 */
@NullMarked
package dev.tributary.worker;

import org.jspecify.annotations.NullMarked;
