package dev.tributary.worker;

import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a handler throws, the listener is told that very Throwable, and the worker goes on. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HandlerErrorsTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private static final class Speechless extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String toString() {
            throw new Speechless();
        }
    }

    private final JobQueue queue = database.queue();
    private final BlockingQueue<WorkerListener.Handled> handled = new LinkedBlockingQueue<>();

    static Stream<Throwable> throwables() {
        return Stream.of(
                new IllegalStateException("out of stock"),
                new IOException("checked"),
                new InterruptedException("nobody has interrupted it"),
                new OutOfMemoryError("for this one"),
                new StackOverflowError("deep"),
                new NoClassDefFoundError("Pricing"),
                new Speechless());
    }

    @ParameterizedTest
    @MethodSource("throwables")
    void isToldAndRetried(Throwable thrown) throws InterruptedException {
        long id = queue.enqueue(TYPE, Refresh.of("c1", "p1")).jobId();
        try (Worker worker = worker(job -> {
            if (job.attempt() == 1) {
                throw HandlerErrorsTest.<RuntimeException>sneaky(thrown);
            }
            return Outcome.done();
        })) {
            worker.start();
            WorkerListener.Handled first = handled.take();
            assertThat(first.thrown().orElseThrow()).isSameAs(thrown);
            assertThat(first.outcome()).isInstanceOf(Outcome.Refused.class);
            assertThat(handled.take().thrown()).isEmpty();
        }
        assertThat(database.job(id).getStatus()).isEqualTo(JobStatus.COMPLETED);
        assertThat(database.job(id).getLastError()).contains(thrown.getClass().getName());
    }

    @Test
    void isEmptyAfterARefusalThatWasReturned() {
        queue.enqueue(TYPE, Refresh.of("c1", "p1"));
        worker(job -> Outcome.refused("busy")).runOnce();
        assertThat(handled).extracting(WorkerListener.Handled::thrown).containsExactly(Optional.empty());
    }

    private Worker worker(JobHandler<Refresh> handler) {
        return Worker.on(queue)
                .handle(TYPE, handler)
                .listener(new WorkerListener() {
                    @Override
                    public void handled(Handled event) {
                        handled.add(event);
                    }
                })
                .build();
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T sneaky(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
