package dev.tributary.worker;

import dev.tributary.JobQueue;
import dev.tributary.Reservations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a worker that has been started: one takes work in, one takes what others keep locked, one rescues, one renews,
 * one completes, one puts back, one may listen, the others handle. None waits long for a row that somebody has locked, and none
 * for another.
 */
final class Crew {
    /** The longest wait for a row: producers that hand a hot one to each other let go of it in less. */
    static final Duration LOCK_TIMEOUT = Duration.ofMillis(500);

    /** What close() gives to the last statements, once the handlers are through or have had their time. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private static final String CLOSED = "the worker was closed";
    private static final Duration NO_THREAD = Duration.ofSeconds(1);
    private static final AtomicInteger CREWS = new AtomicInteger();

    private final String name = "tributary-worker-" + CREWS.incrementAndGet();
    private final AtomicInteger threads = new AtomicInteger();
    private final Events events;
    private final Function<HeldJob<?>, Optional<HeldJob.Said>> handle;
    private final Duration closeWithin;
    private final Held held;
    private final Intake intake;
    private final Loop loop;
    private final Settler completing;
    private final Settler puttingBack;
    private final Ticker renewing;
    private final Ticker rescuing;
    private final Ticker takingOverdue;
    private final Optional<Listening> listening;
    private final Thread taking;
    private final List<Thread> others = new ArrayList<>();
    private final Executor handlers;
    private final @Nullable ExecutorService ownHandlers;
    private final Set<Thread> inside = ConcurrentHashMap.newKeySet();
    private final CountDownLatch ended = new CountDownLatch(1);
    private boolean ending;

    Crew(Settings settings, Events events, Function<HeldJob<?>, Optional<HeldJob.Said>> handle) {
        JobQueue queue = settings.queue().withLockTimeout(LOCK_TIMEOUT);
        this.events = events;
        this.handle = handle;
        this.closeWithin = settings.closeWithin();
        this.held = new Held(settings.concurrency());
        this.intake = new Intake(queue, settings, events);
        this.loop = new Loop(intake, held, this::dispatch, settings.pollEvery(), events);
        this.completing = new Settler(new Settling(queue, events), events, held);
        this.puttingBack = new Settler(new Settling(queue, events), events, held);
        Heartbeat heartbeat = new Heartbeat(Reservations.of(queue), held, settings, events);
        this.renewing = new Ticker("renewing", settings.lease().dividedBy(3), heartbeat, events);
        this.rescuing = new Ticker("rescuing", settings.rescueEvery(), intake::rescue, events);
        this.takingOverdue =
                new Ticker("reserving", Intake.OVERDUE, () -> intake.reserveOverdue(held, this::dispatch), events);
        Set<String> types = settings.types().stream()
                .map(handling -> handling.type().name())
                .collect(Collectors.toUnmodifiableSet());
        this.listening = settings.notifications().map(told -> new Listening(told, types, loop::wake, events));
        this.taking = thread(loop, "take");
        others.add(thread(completing, "complete"));
        others.add(thread(puttingBack, "put-back"));
        others.add(thread(renewing, "renew"));
        others.add(thread(rescuing, "rescue"));
        others.add(thread(takingOverdue, "take-overdue"));
        listening.ifPresent(task -> others.add(thread(task, "listen")));
        this.ownHandlers = settings.executor().isPresent()
                ? null
                : Executors.newCachedThreadPool(task -> thread(task, "handle-" + threads.incrementAndGet()));
        this.handlers = settings.executor().orElse(ownHandlers);
    }

    private Thread thread(Runnable task, String role) {
        Thread thread = new Thread(() -> insideOf(task), name + "-" + role);
        thread.setDaemon(true);
        return thread;
    }

    /** Whoever closes the worker from in there must not wait for itself. */
    private void insideOf(Runnable task) {
        boolean entered = inside.add(Thread.currentThread());
        try {
            task.run();
        } finally {
            if (entered) {
                inside.remove(Thread.currentThread());
            }
        }
    }

    void start() {
        others.forEach(Thread::start);
        taking.start();
    }

    private void dispatch(HeldJob<?> job) {
        if (loop.isStopped()) {
            giveBack(job, CLOSED, Duration.ZERO);
            return;
        }
        try {
            handlers.execute(() -> insideOf(() -> handle(job)));
        } catch (Throwable failure) {
            events.trouble("handing " + job + " to its handler", failure);
            // Not due at once, or it would be reserved and refused at full speed.
            giveBack(job, "no thread for it", NO_THREAD);
        }
    }

    private void handle(HeldJob<?> job) {
        Optional<Outcome> outcome = Optional.of(Outcome.refused("the worker failed"));
        try {
            outcome = handle.apply(job).map(HeldJob.Said::outcome);
        } finally {
            if (job.beginSettling()) {
                outcome.ifPresentOrElse(
                        said -> (said instanceof Outcome.Done ? completing : puttingBack)
                                .add(new Settling.Handled(job, said)),
                        () -> held.release(job));
            }
        }
    }

    private void giveBack(HeldJob<?> job, String why, Duration delay) {
        if (job.beginSettling()) {
            job.interrupt();
            puttingBack.add(new Settling.Handled(job, Outcome.refused(why, delay), true));
        }
    }

    void close() {
        boolean fromInside = inside.contains(Thread.currentThread());
        synchronized (this) {
            if (!ending) {
                ending = true;
                // A thread of its own: the caller's may be interrupted, or be that of a handler, whose outcome is still
                // to come.
                Duration limit = fromInside && closeWithin.compareTo(LAST_WORDS) < 0 ? LAST_WORDS : closeWithin;
                thread(() -> end(limit), "close").start();
            }
        }
        if (!fromInside) {
            awaitEndUninterruptibly();
        }
    }

    private void awaitEndUninterruptibly() {
        boolean interrupted = false;
        while (ended.getCount() > 0) {
            try {
                ended.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void end(Duration limit) {
        try {
            long closeAt = System.nanoTime() + limit.toNanos();
            intake.stop();
            loop.stop();
            rescuing.end();
            takingOverdue.end();
            listening.ifPresent(Listening::stop);
            if (!join(taking, closeAt) || !held.awaitNone(closeAt)) {
                held.jobs().forEach(job -> giveBack(job, CLOSED, Duration.ZERO));
                taking.interrupt();
            }
            long lastWordsAt = System.nanoTime() + LAST_WORDS.toNanos();
            join(taking, lastWordsAt);
            held.awaitNone(lastWordsAt);
            completing.end();
            puttingBack.end();
            renewing.end();
            others.forEach(Thread::interrupt);
            for (Thread thread : others) {
                join(thread, lastWordsAt);
            }
        } catch (InterruptedException e) {
            events.trouble("closing", e);
        } finally {
            if (ownHandlers != null) {
                ownHandlers.shutdown();
            }
            ended.countDown();
        }
    }

    private static boolean join(Thread thread, long nanos) throws InterruptedException {
        thread.join(Math.max(1, Duration.ofNanos(nanos - System.nanoTime()).toMillis()));
        return !thread.isAlive();
    }
}
