package dev.tributary.examples.pricerefresh;

import dev.tributary.Enqueued;
import dev.tributary.JobQueue;
import dev.tributary.inbox.Event;
import dev.tributary.inbox.Inbox;
import dev.tributary.inbox.IngestFailed;
import dev.tributary.inbox.Ingested;
import dev.tributary.inbox.InvalidEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/**
 * Takes the next lines of the feed, and enqueues what they ask for in the transaction that accepts them. An event that is
 * delivered again does nothing.
 */
final class Producer {
    /** Lines of a round. */
    static final int BATCH = 10;

    private final Inbox inbox;
    private final JobQueue queue;
    private final Feed feed;
    private final Books books;
    private final Consumer<String> complaints;
    private List<Feed.Line> current = List.of();
    private volatile boolean ended;

    Producer(Inbox inbox, JobQueue queue, Feed feed, Books books, Consumer<String> complaints) {
        this.inbox = inbox;
        this.queue = queue;
        this.feed = feed;
        this.books = books;
        this.complaints = complaints;
    }

    /** If the database fails, the next round delivers the same lines again: what was accepted is then a duplicate. */
    void round() {
        if (current.isEmpty()) {
            current = feed.next(BATCH);
        }
        if (current.isEmpty()) {
            ended = true;
        } else {
            take(current);
            current = List.of();
        }
    }

    /** The feed has ended and what this producer took of it is enqueued. */
    boolean ended() {
        return ended;
    }

    private void take(List<Feed.Line> lines) {
        List<Feed.Line.Event> events = new ArrayList<>();
        List<Feed.Line.Bad> bad = new ArrayList<>();
        for (Feed.Line line : lines) {
            if (line instanceof Feed.Line.Event event) {
                events.add(event);
            } else if (line instanceof Feed.Line.Bad useless) {
                bad.add(useless);
            }
        }
        deliver(events);
        bad.forEach(line -> skip(line, line.reason()));
    }

    private void deliver(List<Feed.Line.Event> lines) {
        try {
            ingest(lines);
        } catch (IngestFailed e) {
            if (e.getCause() instanceof DataAccessException database) {
                throw database;
            }
            // The queue refuses by name what it cannot keep, such as a merge key that is too long. Which line was it?
            if (lines.size() == 1) {
                skip(lines.get(0), e.getCause().getMessage());
            } else {
                lines.forEach(line -> deliver(List.of(line)));
            }
        }
    }

    private void ingest(List<Feed.Line.Event> lines) {
        Map<String, FeedEvent> delivered = new HashMap<>();
        lines.forEach(line -> delivered.putIfAbsent(line.event().eventId(), line.event()));
        Map<FeedEvent, Enqueued> jobs = new HashMap<>();
        long before = books.ledger().now();
        List<InvalidEvent> unfit = new ArrayList<>();
        Ingested ingested = inbox.skipInvalid(unfit::add)
                .ingest(lines.stream().map(line -> line.event().event()).toList(), (tx, accepted) -> {
                    jobs.clear();
                    jobs.putAll(enqueue(tx, accepted, delivered));
                });
        unfit.forEach(event -> skip(lines.get(event.index()), event.reason()));
        books.tally()
                .count(
                        Count.EVENTS,
                        ingested.accepted().size() + ingested.duplicates().size());
        books.tally().count(Count.ACCEPTED, ingested.accepted().size());
        books.tally().count(Count.DUPLICATES, ingested.duplicates().size());
        jobs.forEach((event, job) -> {
            books.ledger().requested(event.refresh(), job.jobId(), before);
            books.tally().count(job instanceof Enqueued.Inserted ? Count.INSERTED : Count.MERGED);
        });
    }

    private Map<FeedEvent, Enqueued> enqueue(DSLContext tx, List<Event> accepted, Map<String, FeedEvent> delivered) {
        List<FeedEvent> events = accepted.stream()
                .map(event -> delivered.get(event.businessKey()))
                .toList();
        List<Enqueued> answers = queue.within(tx)
                .enqueueAll(
                        Refresh.PRICE_REFRESH,
                        events.stream().map(FeedEvent::refresh).toList());
        Map<FeedEvent, Enqueued> jobs = new HashMap<>();
        for (int i = 0; i < events.size(); i++) {
            jobs.put(events.get(i), answers.get(i));
        }
        return jobs;
    }

    private void skip(Feed.Line line, @Nullable String reason) {
        books.tally().count(Count.SKIPPED);
        complaints.accept("line " + line.number() + " skipped: " + reason);
    }
}
