/**
 * What executes the statements: on the queue's own connections, or inside the caller's transaction.
 * Nothing here is public API. The statements themselves are in {@code internal.sql}.
 */
@NullMarked
package dev.tributary.internal;

import org.jspecify.annotations.NullMarked;
