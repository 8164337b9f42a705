package dev.tributary.worker;

import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tributary.InvalidArgument;
import dev.tributary.JobQueue;
import dev.tributary.JobType;
import dev.tributary.Notifications;
import dev.tributary.support.Await;
import dev.tributary.support.Database;
import dev.tributary.support.Gate;
import dev.tributary.support.Refresh;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A worker that listens. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ListeningTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();
    private final Semaphore wakes = new Semaphore(0);
    private final AtomicInteger troubles = new AtomicInteger();
    private final Events events = new Events(new WorkerListener() {
        @Override
        public void trouble(Trouble event) {
            troubles.incrementAndGet();
        }
    });

    @Test
    void isWokenWhenItBeginsAndByEachJobOfItsTypes() throws InterruptedException {
        JobType<Refresh> other = JobType.named("OTHER", Refresh.class).build();
        Listening listening = listening(database.dataSource());
        wakes.acquire();
        queue.enqueue(other, Refresh.of("c1", "p1"));
        queue.enqueue(TYPE, Refresh.of("c1", "p1"));
        wakes.acquire();
        queue.enqueue(TYPE, Refresh.of("c1", "p2"));
        queue.enqueue(TYPE, Refresh.of("c2", "p1"));
        wakes.acquire();
        assertThat(wakes.availablePermits()).as("woken by others").isZero();
        assertThat(troubles).hasValue(0);
        listening.stop();
    }

    @Test
    void listensAgainWhenItsBackendIsTerminated() throws InterruptedException {
        Listening listening = listening(database.dataSource());
        for (int cut = 1; cut <= 3; cut++) {
            wakes.acquire();
            queue.enqueue(TYPE, Refresh.of("c" + cut, "p1"));
            wakes.acquire();
            assertThat(terminateListeners()).isEqualTo(1);
        }
        wakes.acquire();
        assertThat(troubles).hasValue(3);
        listening.stop();
    }

    @Test
    void tellsAnOutageOnce() throws InterruptedException {
        DataSource down = database.dataSource();
        for (int i = 0; i < 3; i++) {
            down = Gate.beforeConnection(1, down, () -> {
                throw new IllegalStateException("down");
            });
        }
        Listening listening = listening(down);
        wakes.acquire();
        assertThat(troubles).hasValue(1);
        queue.enqueue(TYPE, Refresh.of("c1", "p1"));
        wakes.acquire();
        listening.stop();
    }

    @Test
    void handlesWithoutPollingAndAfterItsConnectionWasLost() {
        Ends ends = new Ends();
        try (Worker worker = handling(queue, ends).listen(database.dataSource()).build()) {
            worker.start();
            for (int i = 1; i <= 5; i++) {
                awaitListener();
                queue.enqueue(TYPE, Refresh.of("c" + i, "p1"));
                ends.await(i);
                terminateListeners();
            }
        }
    }

    @Test
    void takesAConnectionOfTheQueuesPoolAndGivesItBack() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setAutoCommit(false);
        config.setMaximumPoolSize(2);
        Ends ends = new Ends();
        try (HikariDataSource pool = new HikariDataSource(config)) {
            try (Worker worker = handling(JobQueue.on(pool), ends).listen().build()) {
                worker.start();
                awaitListener();
                JobQueue.on(pool)
                        .enqueueAll(
                                TYPE,
                                IntStream.range(0, 50)
                                        .mapToObj(i -> Refresh.of("c" + i, "p1"))
                                        .toList());
                ends.await(50);
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isPositive();
            }
            assertThat(listeners()).isZero();
        }
    }

    @Test
    void endsThoughItsDatabaseIsAway() {
        AtomicInteger tries = new AtomicInteger();
        DataSource down = Gate.beforeConnection(1, database.dataSource(), () -> {
            tries.incrementAndGet();
            throw new IllegalStateException("down");
        });
        try (Worker worker = handling(queue, new Ends()).listen(down).build()) {
            worker.start();
            Await.until(() -> tries.get() > 0, () -> "it has not tried to listen");
        }
    }

    @Test
    void isRefusedWithoutADataSource() {
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(() -> Worker.on(queue).listen(null));
    }

    private static Worker.Builder handling(JobQueue queue, Ends ends) {
        return Worker.on(queue)
                .handle(TYPE, job -> Outcome.done())
                .pollEvery(Duration.ofHours(1))
                .rescueEvery(Duration.ofHours(1))
                .listener(ends);
    }

    private Listening listening(DataSource dataSource) {
        Listening listening =
                new Listening(Notifications.of(queue, dataSource), Set.of(TYPE.name()), wakes::release, events);
        Thread thread = new Thread(listening);
        thread.setDaemon(true);
        thread.start();
        return listening;
    }

    private static void awaitListener() {
        Await.until(() -> listeners() > 0, () -> "nobody listens");
    }

    private static int listeners() {
        return count("SELECT pid");
    }

    private static int terminateListeners() {
        return count("SELECT pg_terminate_backend(pid, 10000)");
    }

    private static int count(String select) {
        return database.<Integer>sql(db -> db.resultQuery(
                        select + " FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()")
                .fetch()
                .size());
    }
}
