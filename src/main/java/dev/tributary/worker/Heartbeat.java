package dev.tributary.worker;

import dev.tributary.JobQueue;
import dev.tributary.Reservations;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The thread that renews the leases of all jobs held, in one statement, three times in the time of a lease. */
final class Heartbeat implements Runnable {
    private final Reservations reservations;
    private final Held held;
    private final Duration lease;
    private final boolean interruptsOnLoss;
    private final Events events;

    Heartbeat(JobQueue queue, Held held, Duration lease, boolean interruptsOnLoss, Events events) {
        this.reservations = Reservations.of(queue);
        this.held = held;
        this.lease = lease;
        this.interruptsOnLoss = interruptsOnLoss;
        this.events = events;
    }

    /** Until it is interrupted. */
    @Override
    public void run() {
        try {
            while (true) {
                Thread.sleep(Math.max(1, lease.dividedBy(3).toMillis()));
                try {
                    beat();
                } catch (Throwable failure) {
                    events.trouble("renewing", failure);
                }
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private void beat() {
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
