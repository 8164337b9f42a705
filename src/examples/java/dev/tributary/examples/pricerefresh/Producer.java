package dev.tributary.examples.pricerefresh;

import dev.tributary.Enqueued;
import dev.tributary.JobQueue;
import dev.tributary.inbox.Inbox;
import dev.tributary.inbox.IngestFailed;
import dev.tributary.inbox.Ingested;
import dev.tributary.inbox.InvalidEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** Takes the next line of the feed, and enqueues what it asks for in the transaction that accepts it. A redelivered event does nothing. */
final class Producer {
    private final Inbox inbox;
    private final JobQueue queue;
    private final Feed feed;
    private final Books books;
    private final Consumer<String> complaints;
    private Feed.@Nullable Line current;
    private volatile boolean ended;

    Producer(Inbox inbox, JobQueue queue, Feed feed, Books books, Consumer<String> complaints) {
        this.inbox = inbox;
        this.queue = queue;
        this.feed = feed;
        this.books = books;
        this.complaints = complaints;
    }

    /** If the database fails, the next round delivers the same line again: better twice than never, and the second time it is a duplicate. */
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
                ingest(event.event());
                books.tally().count(Count.EVENTS);
            } catch (InvalidEvent e) {
                skip(line, e.reason());
            } catch (IngestFailed e) {
                if (e.getCause() instanceof DataAccessException database) {
                    throw database;
                }
                // The queue refuses by name what it cannot keep, such as a merge key that is too long.
                skip(line, e.getCause().getMessage());
            }
        } else if (line instanceof Feed.Line.Bad bad) {
            skip(line, bad.reason());
        }
    }

    private void ingest(FeedEvent event) {
        long before = books.ledger().now();
        List<Enqueued> jobs = new ArrayList<>();
        Ingested ingested = inbox.ingest(List.of(event.event()), (tx, accepted) -> {
            jobs.clear();
            jobs.addAll(queue.within(tx).enqueueAll(Refresh.PRICE_REFRESH, List.of(event.refresh())));
        });
        books.tally().count(ingested.accepted().isEmpty() ? Count.DUPLICATES : Count.ACCEPTED);
        for (Enqueued job : jobs) {
            books.ledger().requested(event.refresh(), job.jobId(), before);
            books.tally().count(job instanceof Enqueued.Inserted ? Count.INSERTED : Count.MERGED);
        }
    }

    private void skip(Feed.Line line, @Nullable String reason) {
        books.tally().count(Count.SKIPPED);
        complaints.accept("line " + line.number() + " skipped: " + reason);
    }
}
