package dev.tributary.examples.pricerefresh;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The engine as the worker process sees it: questions go out on one stream, answers come in on another. */
final class RemoteEngine {
    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, CompletableFuture<Optional<Refusal>>> asked = new ConcurrentHashMap<>();
    private final BufferedReader in;
    private final PrintStream out;

    RemoteEngine(BufferedReader in, PrintStream out) {
        this.in = in;
        this.out = out;
    }

    /** @return completed when the engine is through with it; empty: recalculated */
    CompletableFuture<Optional<Refusal>> ask(long jobId, Refresh refresh) {
        long number = numbers.incrementAndGet();
        CompletableFuture<Optional<Refusal>> answer = new CompletableFuture<>();
        asked.put(number, answer);
        say(new Message.Ask(number, jobId, refresh));
        return answer;
    }

    void say(Message message) {
        out.println(message.line());
    }

    /** Takes answers until there are no more: the service has closed the stream, or it is gone. */
    void takeAnswers() throws IOException {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (Message.of(line) instanceof Message.Answer answer) {
                CompletableFuture<Optional<Refusal>> waiting = asked.remove(answer.number());
                if (waiting != null) {
                    waiting.complete(Optional.ofNullable(answer.refusal()));
                }
            }
        }
    }
}
