package dev.tributary.worker;

import dev.tributary.InvalidArgument;
import dev.tributary.JobQueue;
import dev.tributary.JobType;
import dev.tributary.Notifications;
import dev.tributary.internal.Arguments;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;

/**
 * Runs handlers for the jobs of a queue: rescues what others dropped, reserves what is due, hands it to its handler, renews
 * the leases meanwhile, and settles the outcome. Safe for use by several threads.
 */
public final class Worker implements AutoCloseable {
    private final Settings settings;
    private final Events events;
    private final Intake intake;
    private final Settling settling;
    private Optional<Crew> crew = Optional.empty();
    private boolean closed;

    private Worker(Settings settings) {
        this.settings = settings;
        this.events = new Events(settings.listener());
        this.intake = new Intake(settings.queue(), settings, events);
        this.settling = new Settling(settings.queue(), events);
    }

    /**
     * Begins a worker.
     *
     * @param queue with transactions of its own
     * @throws InvalidArgument if it is null or within a caller's transaction
     */
    public static Builder on(JobQueue queue) {
        // What start() will need, refused here.
        Arguments.notNull("the queue", queue).withLockTimeout(Crew.LOCK_TIMEOUT);
        return new Builder(queue);
    }

    /**
     * One round on the calling thread: rescue, reserve, handle, settle. Jobs are handled one after the other, and their leases
     * are not renewed meanwhile. For tests and for callers with a loop of their own.
     *
     * @return what it did
     * @throws DataAccessException if nothing could be rescued or reserved because of an error, or a job not be settled, after
     *     all others were; its lease will expire
     */
    public Round runOnce() {
        int rescued = intake.rescue();
        List<HeldJob<?>> jobs = intake.reserve(settings.concurrency());
        Tally tally = new Tally();
        List<DataAccessException> failures = new ArrayList<>();
        for (HeldJob<?> job : jobs) {
            Outcome outcome = handle(job).orElseThrow().outcome();
            failures.addAll(settling.settle(List.of(new Settling.Handled(job, outcome)), tally)
                    .values());
        }
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
        return tally.round(rescued, jobs.size());
    }

    private Optional<HeldJob.Said> handle(HeldJob<?> job) {
        long begin = System.nanoTime();
        Optional<HeldJob.Said> said = job.handle();
        said.ifPresent(it -> events.handled(job, it, Duration.ofNanos(System.nanoTime() - begin)));
        return said;
    }

    /**
     * Starts its threads: rounds go on until {@link #close}.
     *
     * @throws IllegalStateException if it has been started or closed before
     */
    public synchronized void start() {
        if (closed || crew.isPresent()) {
            throw new IllegalStateException(closed ? "the worker is closed" : "the worker has been started");
        }
        crew = Optional.of(new Crew(settings, events, this::handle));
        crew.get().start();
    }

    /**
     * Stops reserving, waits for the handlers that run, up to the limit of {@link Builder#closeWithin}, interrupts the rest and
     * gives their jobs back, due at once and without spending an attempt. Leases are renewed to the end. Two seconds more are
     * given to statements that wait; what is not settled by then is left to its lease. Can be called again, and from a handler
     * or a listener: then it only begins the end, and waits at least two seconds for that handler's outcome.
     */
    @Override
    public void close() {
        Optional<Crew> ending;
        synchronized (this) {
            closed = true;
            ending = crew;
        }
        ending.ifPresent(Crew::close);
    }

    /** What a worker is built from. */
    public static final class Builder {
        private final JobQueue queue;
        private final List<Handling<?>> types = new ArrayList<>();
        private int concurrency = 8;
        private Duration lease = Duration.ofSeconds(30);
        private Duration pollEvery = Duration.ofSeconds(1);
        private Duration rescueEvery = Duration.ofSeconds(5);
        private Duration closeWithin = Duration.ofSeconds(30);
        private boolean interruptsOnLoss;
        private Optional<Notifications> notifications = Optional.empty();
        private Optional<Executor> executor = Optional.empty();
        private WorkerListener listener = new WorkerListener() {};

        private Builder(JobQueue queue) {
            this.queue = queue;
        }

        /** Handles the jobs of a type; called once for each type, at least once in all. */
        public <P> Builder handle(JobType<P> type, JobHandler<P> handler) {
            Arguments.notNull("the job type", type);
            if (types.stream().anyMatch(handling -> handling.type().name().equals(type.name()))) {
                throw new InvalidArgument("the job type " + type.name() + " has a handler already");
            }
            types.add(new Handling<>(type, Arguments.notNull("the handler", handler)));
            return this;
        }

        /** How many jobs are held at once, at least 1. Default: 8. */
        public Builder concurrency(int jobs) {
            Arguments.atLeastOne("the concurrency", jobs);
            concurrency = jobs;
            return this;
        }

        /** How long a job of a worker that died is nobody's; renewed while its handler runs. Default: 30 seconds. */
        public Builder lease(Duration lease) {
            Arguments.positive("the lease", lease);
            this.lease = lease;
            return this;
        }

        /** The longest pause between two looks at an empty queue; the first ones are shorter. Default: 1 second. */
        public Builder pollEvery(Duration longest) {
            Arguments.positive("pollEvery", longest);
            pollEvery = longest;
            return this;
        }

        /**
         * Is told of new jobs instead of finding them at the next poll. Needs one more connection of the queue's DataSource, held
         * until the worker is closed: on a pool of one the worker would be left without. Polling goes on and finds what nobody
         * told: delayed jobs, retries, and all jobs while the connection is lost. Default: only polling.
         */
        public Builder listen() {
            notifications = Optional.of(Notifications.of(queue));
            return this;
        }

        /**
         * As {@link #listen()}, on a connection of another DataSource: where that of the queue is behind a pooler in transaction
         * mode, or has none to spare.
         *
         * @param direct to the same database
         */
        public Builder listen(DataSource direct) {
            notifications = Optional.of(Notifications.of(queue, direct));
            return this;
        }

        /** The time between two looks for expired leases. Default: 5 seconds. */
        public Builder rescueEvery(Duration interval) {
            Arguments.positive("rescueEvery", interval);
            rescueEvery = interval;
            return this;
        }

        /** How long {@link Worker#close} waits for handlers before it interrupts them. Default: 30 seconds. */
        public Builder closeWithin(Duration limit) {
            Arguments.delay("closeWithin", limit);
            closeWithin = limit;
            return this;
        }

        /** Interrupts a handler whose lease is lost. Default: it is only told, by {@link dev.tributary.ReservedJob#leaseLost}. */
        public Builder interruptOnLeaseLost() {
            interruptsOnLoss = true;
            return this;
        }

        /**
         * Runs the handlers, at most as many at once as {@link #concurrency} says; it stays the caller's to shut down. What it
         * refuses goes back at once; what it drops without a word is held, and renewed, until the worker is closed. One that
         * runs a handler in the thread that hands it over keeps the worker from taking work in meanwhile. Default: daemon
         * threads of the worker's own.
         */
        public Builder executor(Executor executor) {
            this.executor = Optional.of(Arguments.notNull("the executor", executor));
            return this;
        }

        /** Told what the worker does. Default: nobody. */
        public Builder listener(WorkerListener listener) {
            this.listener = Arguments.notNull("the listener", listener);
            return this;
        }

        /** @throws InvalidArgument if it has no handler */
        public Worker build() {
            if (types.isEmpty()) {
                throw new InvalidArgument("a worker needs a handler: handle(type, handler)");
            }
            return new Worker(new Settings(
                    queue,
                    List.copyOf(types),
                    concurrency,
                    lease,
                    pollEvery,
                    rescueEvery,
                    closeWithin,
                    interruptsOnLoss,
                    notifications,
                    executor,
                    listener));
        }
    }
}
