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
    private final Events events;
    private volatile boolean stopped;

    Loop(Intake intake, Held held, Consumer<HeldJob<?>> dispatch, Duration longestPause, Events events) {
        this.intake = intake;
        this.held = held;
        this.dispatch = dispatch;
        this.pause = new Pause(min(SHORTEST_PAUSE, longestPause), longestPause);
        this.events = events;
    }

    @Override
    public void run() {
        while (!stopped) {
            try {
                if (!round()) {
                    held.await(pause.next());
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

    boolean isStopped() {
        return stopped;
    }

    /** Whether there may be more to take at once. */
    private boolean round() {
        int slots = held.claim(Integer.MAX_VALUE);
        List<HeldJob<?>> jobs = List.of();
        try {
            jobs = slots > 0 ? intake.reserve(slots) : jobs;
        } catch (Throwable failure) {
            events.trouble("reserving", failure);
        } finally {
            // All at once, before the first is handed on: an executor may keep this thread for long.
            held.add(jobs, slots);
        }
        jobs.forEach(dispatch);
        if (!jobs.isEmpty()) {
            pause.reset();
        }
        return slots > 0 && jobs.size() == slots;
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
