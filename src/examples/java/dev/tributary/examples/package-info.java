/** Runs an example: {@link dev.tributary.examples.Examples}. */
@NullMarked
package dev.tributary.examples;

import org.jspecify.annotations.NullMarked;
