package dev.tributary.worker;

import java.time.Duration;

/** How long to wait when there was nothing to do: twice as long each time, from a shortest to a longest. */
final class Pause {
    private final Duration shortest;
    private final Duration longest;
    private Duration next;

    Pause(Duration shortest, Duration longest) {
        this.shortest = shortest;
        this.longest = longest;
        this.next = shortest;
    }

    synchronized Duration next() {
        Duration now = next;
        Duration doubled = now.multipliedBy(2);
        next = doubled.compareTo(longest) > 0 ? longest : doubled;
        return now;
    }

    synchronized void reset() {
        next = shortest;
    }
}
