package dev.tributary.worker;

import dev.tributary.Reservations;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The threads of a worker that has been started: one takes work in, one renews, one settles, one may listen, the others
 * handle. */
final class Crew {
    private static final Duration LONGEST_FAREWELL = Duration.ofSeconds(1);
    private static final AtomicInteger CREWS = new AtomicInteger();

    private final String name = "tributary-worker-" + CREWS.incrementAndGet();
    private final AtomicInteger threads = new AtomicInteger();
    private final Worker.Builder settings;
    private final Events events;
    private final Function<HeldJob<?>, Outcome> handle;
    private final Held held;
    private final Settler settler;
    private final Loop loop;
    private final Thread taking;
    private final Thread settling;
    private final Thread renewing;
    private final Optional<Listening> listening;
    private final Optional<Thread> hearing;
    private final Executor handlers;
    private final @Nullable ExecutorService ownHandlers;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private boolean ending;

    Crew(
            Worker.Builder settings,
            Intake intake,
            Settling settling,
            Events events,
            Function<HeldJob<?>, Outcome> handle) {
        this.settings = settings;
        this.events = events;
        this.handle = handle;
        this.held = new Held(settings.concurrency);
        this.settler = new Settler(settling, events, held);
        this.loop = new Loop(intake, held, this::dispatch, settings, events);
        this.taking = thread(loop, "take");
        this.settling = thread(settler, "settle");
        this.renewing =
                thread(new Heartbeat(settings.queue, held, settings.lease, settings.interruptsOnLoss, events), "renew");
        Set<String> types =
                settings.types.stream().map(handling -> handling.type().name()).collect(Collectors.toUnmodifiableSet());
        this.listening = settings.notifications.map(told -> new Listening(told, types, loop::wake, events));
        this.hearing = listening.map(task -> thread(task, "listen"));
        this.ownHandlers = settings.executor.isPresent()
                ? null
                : Executors.newCachedThreadPool(task -> thread(task, "handle-" + threads.incrementAndGet()));
        this.handlers = settings.executor.orElse(ownHandlers);
    }

    private Thread thread(Runnable task, String role) {
        Thread thread = new Thread(task, name + "-" + role);
        thread.setDaemon(true);
        return thread;
    }

    void start() {
        renewing.start();
        settling.start();
        taking.start();
        hearing.ifPresent(Thread::start);
    }

    private void dispatch(HeldJob<?> job) {
        held.add(job);
        try {
            handlers.execute(() -> handle(job));
        } catch (Throwable failure) {
            events.trouble("handing " + job + " to its handler", failure);
            giveBack(job, "no thread for it");
        }
    }

    private void handle(HeldJob<?> job) {
        Outcome outcome = Outcome.refused("the worker failed");
        try {
            outcome = handle.apply(job);
        } finally {
            if (job.beginSettling()) {
                settler.add(job, outcome);
            }
        }
    }

    private void giveBack(HeldJob<?> job, String why) {
        if (!job.beginSettling()) {
            return;
        }
        try {
            job.interrupt();
            events.putBack(job, Reservations.of(settings.queue).giveBack(job, why));
        } catch (Throwable failure) {
            events.trouble("giving " + job + " back, its lease will expire", failure);
        } finally {
            held.release(job);
        }
    }

    void close() {
        synchronized (this) {
            if (!ending) {
                ending = true;
                // A thread of its own: the caller's may be interrupted, and giving jobs back needs one that is not.
                thread(this::end, "close").start();
            }
        }
        Thread caller = Thread.currentThread();
        boolean fromInside = held.jobs().stream().anyMatch(job -> job.isHandledBy(caller))
                || caller == taking
                || caller == settling
                || caller == renewing
                || hearing.filter(caller::equals).isPresent();
        if (!fromInside) {
            joinUninterruptibly();
        }
    }

    private void joinUninterruptibly() {
        boolean interrupted = false;
        while (!end.isDone()) {
            try {
                end.get();
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (java.util.concurrent.ExecutionException e) {
                break;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void end() {
        try {
            loop.stop();
            listening.ifPresent(Listening::stop);
            taking.join();
            if (!held.awaitNone(settings.closeWithin)) {
                held.jobs().forEach(job -> giveBack(job, "the worker was closed"));
            }
        } catch (InterruptedException e) {
            events.trouble("closing", e);
        } finally {
            settling.interrupt();
            renewing.interrupt();
            endHearing();
            if (ownHandlers != null) {
                ownHandlers.shutdown();
            }
            end.complete(null);
        }
    }

    /** So that its connection is back when the worker is closed, unless the database does not answer. */
    private void endHearing() {
        if (hearing.isEmpty()) {
            return;
        }
        // It may wait for a connection or for the next try.
        hearing.get().interrupt();
        try {
            hearing.get().join(LONGEST_FAREWELL.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
