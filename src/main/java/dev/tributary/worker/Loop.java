package dev.tributary.worker;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** The thread that takes work in: a round, a pause, again. */
final class Loop implements Runnable {
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(10);

    private final Intake intake;
    private final Held held;
    private final Consumer<HeldJob<?>> dispatch;
    private final Pause pause;
    private final Duration rescueEvery;
    private final Events events;
    private volatile boolean stopped;
    private long rescueAt = System.nanoTime();

    Loop(Intake intake, Held held, Consumer<HeldJob<?>> dispatch, Worker.Builder settings, Events events) {
        this.intake = intake;
        this.held = held;
        this.dispatch = dispatch;
        this.pause = new Pause(min(SHORTEST_PAUSE, settings.pollEvery), settings.pollEvery);
        this.rescueEvery = settings.rescueEvery;
        this.events = events;
    }

    @Override
    public void run() {
        while (!stopped) {
            try {
                if (!round()) {
                    held.await(min(pause.next(), rescueEvery));
                }
            } catch (InterruptedException nobodysBusiness) {
                // Only stop() ends the loop.
            }
        }
    }

    /** There may be work: looks for it at once, and soon again. */
    void wake() {
        pause.reset();
        held.wake();
    }

    void stop() {
        stopped = true;
        held.wake();
    }

    /** Whether there may be more to take at once. */
    private boolean round() {
        try {
            if (System.nanoTime() - rescueAt >= 0) {
                rescueAt = System.nanoTime() + rescueEvery.toNanos();
                intake.rescue();
            }
            int free = held.free();
            List<HeldJob<?>> jobs = free > 0 ? intake.reserve(free) : List.of();
            jobs.forEach(dispatch);
            if (!jobs.isEmpty()) {
                pause.reset();
            }
            return free > 0 && jobs.size() == free && held.free() > 0;
        } catch (Throwable failure) {
            events.trouble("taking work in", failure);
            return false;
        }
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
