/**
 * Accepts events once: {@link dev.tributary.inbox.Inbox}. Its statements are {@code LockKeys}, {@code Accept} and
 * {@code Differing} in {@code internal.sql}; {@code Ingest} says in which order. The rule in numbered steps: {@code docs/inbox.md}.
 */
@NullMarked
package dev.tributary.inbox;

import org.jspecify.annotations.NullMarked;
