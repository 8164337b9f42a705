package dev.tributary.worker;

import dev.tributary.Reservations;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Renews the leases of all jobs held, in one statement. */
final class Heartbeat implements Runnable {
    private final Reservations reservations;
    private final Held held;
    private final Duration lease;
    private final boolean interruptsOnLoss;
    private final Events events;

    Heartbeat(Reservations reservations, Held held, Settings settings, Events events) {
        this.reservations = reservations;
        this.held = held;
        this.lease = settings.lease();
        this.interruptsOnLoss = settings.interruptsOnLoss();
        this.events = events;
    }

    @Override
    public void run() {
        List<HeldJob<?>> jobs =
                held.jobs().stream().filter(job -> !job.leaseLost()).toList();
        Set<UUID> renewed = reservations.renew(jobs, lease);
        for (HeldJob<?> job : jobs) {
            // One that is being settled may be gone from the table because it is done.
            if (!renewed.contains(job.lockToken()) && !job.isSettling()) {
                job.loseLease();
                events.leaseLost(job);
                if (interruptsOnLoss) {
                    job.interrupt();
                }
            }
        }
    }
}
