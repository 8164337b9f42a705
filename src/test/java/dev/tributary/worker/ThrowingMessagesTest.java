package dev.tributary.worker;

import static dev.tributary.support.Refresh.TYPE;

import dev.tributary.JobQueue;
import dev.tributary.JobType;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import dev.tributary.support.Warnings;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exceptions that cannot be written to the log, where there is nobody to catch what they throw. */
@ResourceLock(Resources.SYSTEM_ERR)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ThrowingMessagesTest {
    private static final List<Refresh> REFRESHES =
            IntStream.range(0, 8).mapToObj(i -> Refresh.of("c" + i, "1")).toList();

    @RegisterExtension
    static final Database database = Database.migrated();

    @RegisterExtension
    final Warnings warnings = new Warnings();

    private final JobQueue queue = database.queue();
    private final Ends ends = new Ends();

    private static final class Evil extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new Evil();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void doNotEndAThread(boolean expired) {
        JobType<Refresh> evil = Refresh.type("EVIL", attempt -> {
            throw new Evil();
        });
        queue.enqueue(evil, Refresh.of("e", "1"));
        if (expired) {
            queue.reserve(evil, 1, Refresh.LEASE);
            database.expireLeases();
        }
        try (Worker worker = handling()
                .handle(evil, job -> Outcome.refused("busy"))
                .rescueEvery(Duration.ofMillis(100))
                .build()) {
            worker.start();
            database.await(jobs -> jobs.get(0).getLastError() != null);
            queue.enqueueAll(TYPE, REFRESHES);
            ends.await(8);
        }
    }

    @Test
    void doNotEndAThreadIfTheListenerThrowsThem() {
        WorkerListener throwing = new WorkerListener() {
            @Override
            public void ended(Ended event) {
                ends.ended(event);
                throw new Evil();
            }

            @Override
            public void reserved(Reserved event) {
                throw new Evil();
            }
        };
        try (Worker worker = handling().listener(throwing).concurrency(1).build()) {
            queue.enqueueAll(TYPE, REFRESHES);
            worker.start();
            ends.await(8);
        }
    }

    private Worker.Builder handling() {
        return Worker.on(queue).handle(TYPE, job -> Outcome.done()).listener(ends);
    }
}
