package dev.tributary.inbox;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Events of tests. */
final class Events {
    private Events() {}

    static Event event(String key) {
        return new Event(key, "{\"of\": \"" + key + "\"}");
    }

    static List<Event> events(String... keys) {
        return Stream.of(keys).map(Events::event).toList();
    }

    /** With keys prefix0, prefix1 and so on. */
    static List<Event> events(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> event(prefix + i)).toList();
    }

    static List<String> keys(List<Event> events) {
        return events.stream().map(Event::businessKey).toList();
    }
}
