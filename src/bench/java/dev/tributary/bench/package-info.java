/** Benchmarks: {@code mvn -q -Pbench}. They print figures and assert nothing. */
@NullMarked
package dev.tributary.bench;

import org.jspecify.annotations.NullMarked;
