package dev.tributary.worker;

import dev.tributary.JobQueue;
import dev.tributary.Notifications;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/** What a worker was built from; the builder may go on. */
record Settings(
        JobQueue queue,
        List<Handling<?>> types,
        int concurrency,
        Duration lease,
        Duration pollEvery,
        Duration rescueEvery,
        Duration closeWithin,
        boolean interruptsOnLoss,
        Optional<Notifications> notifications,
        Optional<Executor> executor,
        WorkerListener listener) {}
