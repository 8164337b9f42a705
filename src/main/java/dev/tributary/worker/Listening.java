package dev.tributary.worker;

import dev.tributary.Notifications;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The thread that is told of new jobs and wakes the one that takes them in. What it is not told, polling finds. */
final class Listening implements Runnable {
    /** How long the thread waits before it looks whether it is to end. */
    private static final Duration AT_ONCE = Duration.ofMillis(100);

    private final Notifications notifications;
    private final Set<String> types;
    private final Runnable wake;
    private final Events events;
    private final Pause pause = new Pause(Duration.ofMillis(50), Duration.ofSeconds(5));
    private final CountDownLatch stopped = new CountDownLatch(1);
    private boolean away;

    Listening(Notifications notifications, Set<String> types, Runnable wake, Events events) {
        this.notifications = notifications;
        this.types = types;
        this.wake = wake;
        this.events = events;
    }

    @Override
    public void run() {
        try {
            do {
                listen();
            } while (!stopped.await(pause.next().toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    /** Until the connection is lost, or for good. */
    private void listen() {
        try (Notifications.Subscription subscription = notifications.subscribe()) {
            away = false;
            pause.reset();
            // For what came while nobody listened.
            wake.run();
            while (stopped.getCount() > 0) {
                if (subscription.await(AT_ONCE).stream().anyMatch(types::contains)) {
                    wake.run();
                }
            }
        } catch (Throwable failure) {
            if (!away && stopped.getCount() > 0) {
                away = true;
                events.trouble("listening", failure);
            }
        }
    }

    void stop() {
        stopped.countDown();
    }
}
