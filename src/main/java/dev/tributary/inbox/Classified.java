package dev.tributary.inbox;

import java.util.List;

/** What became of the events of a batch, in the order of the call; the last are among the second. */
record Classified(List<Delivery> accepted, List<Delivery> duplicates, List<Delivery> differing) {}
