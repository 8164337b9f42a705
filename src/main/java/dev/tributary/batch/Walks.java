package dev.tributary.batch;

import dev.tributary.internal.Steps;

/** Makes the walk of a daemon once it is known where its transactions run. */
@FunctionalInterface
interface Walks {
    Walk over(Steps transactions, Stop stop);
}
