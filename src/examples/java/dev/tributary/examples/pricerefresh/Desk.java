package dev.tributary.examples.pricerefresh;

import dev.tributary.Requeued;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Where worker processes ask the engine and tell what they did. It keeps the books. */
final class Desk {
    private final Engine engine;
    private final Books books;
    private final Consumer<String> complaints;
    /** When the engine refused a job, and so before the worker put it back. */
    private final Map<Long, Long> refused = new ConcurrentHashMap<>();

    Desk(Engine engine, Books books, Consumer<String> complaints) {
        this.engine = engine;
        this.books = books;
        this.complaints = complaints;
    }

    /** @param answers given one for each question, maybe later and on another thread */
    void take(Message message, Consumer<Message.Answer> answers) {
        if (message instanceof Message.Ask ask) {
            ask(ask, answers);
        } else if (message instanceof Message.Happened happened) {
            books.tally().count(happened.count());
        } else if (message instanceof Message.Merged merged) {
            merged(merged);
        } else if (message instanceof Message.Complaint complaint) {
            complaints.accept(complaint.text());
        }
    }

    private void ask(Message.Ask ask, Consumer<Message.Answer> answers) {
        long reserved = books.ledger().now();
        Optional<Refusal> refusal = engine.ask(ask.refresh(), new Engine.Caller() {
            @Override
            public void recalculated(List<String> productIds) {
                books.ledger().recalculated(ask.jobId(), ask.refresh().catalogId(), productIds, reserved);
                answers.accept(new Message.Answer(ask.number(), null));
            }

            @Override
            public void handedBack() {
                books.tally().count(Count.HANDED_BACK);
                refuse(ask, Refusal.RUNNER_STOPPED, answers);
            }
        });
        refusal.ifPresent(reason -> {
            books.tally().count(Count.of(reason));
            refuse(ask, reason, answers);
        });
    }

    private void refuse(Message.Ask ask, Refusal refusal, Consumer<Message.Answer> answers) {
        refused.put(ask.jobId(), books.ledger().now());
        answers.accept(new Message.Answer(ask.number(), refusal));
    }

    private void merged(Message.Merged merged) {
        Long before = refused.remove(merged.jobId());
        if (before != null) {
            books.ledger().requeued(new Requeued.MergedInto(merged.jobId(), merged.intoJobId()), before);
        }
    }
}
