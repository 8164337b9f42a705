package dev.tributary.examples.pricerefresh;

import dev.tributary.Enqueued;
import dev.tributary.JobQueue;
import dev.tributary.TributaryException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes the next line of the feed and enqueues what it asks for. A redelivered event is enqueued again: it merges. */
final class Producer {
    private final JobQueue queue;
    private final Feed feed;
    private final Books books;
    private final Consumer<String> complaints;
    private Feed.@Nullable Line current;
    private volatile boolean ended;

    Producer(JobQueue queue, Feed feed, Books books, Consumer<String> complaints) {
        this.queue = queue;
        this.feed = feed;
        this.books = books;
        this.complaints = complaints;
    }

    /** If the database fails, the next round takes the same line again: better twice than never, and twice merges. */
    void round() {
        if (current == null) {
            current = feed.next().orElse(null);
        }
        if (current == null) {
            ended = true;
        } else {
            take(current);
            current = null;
        }
    }

    /** The feed has ended and what this producer took of it is enqueued. */
    boolean ended() {
        return ended;
    }

    private void take(Feed.Line line) {
        if (line instanceof Feed.Line.Event event) {
            try {
                enqueue(event.event().refresh());
                books.tally().count(Count.EVENTS);
            } catch (TributaryException e) {
                // The queue refuses by name what it cannot keep, such as a key that is too long.
                skip(line, e.getMessage());
            }
        } else if (line instanceof Feed.Line.Bad bad) {
            skip(line, bad.reason());
        }
    }

    private void enqueue(Refresh refresh) {
        long before = books.ledger().now();
        Enqueued answer = queue.enqueue(Refresh.PRICE_REFRESH, refresh);
        books.ledger().requested(refresh, answer.jobId(), before);
        books.tally().count(answer instanceof Enqueued.Inserted ? Count.INSERTED : Count.MERGED);
    }

    private void skip(Feed.Line line, @Nullable String reason) {
        books.tally().count(Count.SKIPPED);
        complaints.accept("line " + line.number() + " skipped: " + reason);
    }
}
