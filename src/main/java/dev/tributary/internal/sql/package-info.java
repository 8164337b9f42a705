/**
 * One class a statement: values in, jOOQ query out; nothing executes here.
 * Each has its rendered twin in {@code docs/sql}, which a test compares and runs.
 */
@NullMarked
package dev.tributary.internal.sql;

import org.jspecify.annotations.NullMarked;
