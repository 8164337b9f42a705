package dev.tributary;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.support.Database;
import dev.tributary.support.OneConnection;
import dev.tributary.support.Refresh;
import dev.tributary.support.Refusal;
import dev.tributary.support.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A queue that waits for nobody for long. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LockTimeoutTest {
    private static final Duration SHORT = Duration.ofMillis(20);

    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();

    private record Verb(String name, BiFunction<JobQueue, ReservedJob<Refresh>, ?> does) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Verb> verbsThatWait() {
        return Map.<String, BiFunction<JobQueue, ReservedJob<Refresh>, ?>>of(
                        "enqueue", (q, job) -> q.enqueue(TYPE, Refresh.of("k", "3")),
                        "enqueueAll", (q, job) -> q.enqueueAll(TYPE, List.of(Refresh.of("k", "3"))),
                        "complete", (q, job) -> q.complete(job),
                        "requeue", (q, job) -> q.requeue(job, "busy"),
                        "fail", (q, job) -> q.fail(job, "never"),
                        "renew", (q, job) -> q.renew(job, LEASE),
                        "complete many",
                                (q, job) -> Reservations.of(q).complete(List.of(new Reservations.Done(job, null))))
                .entrySet()
                .stream()
                .map(verb -> new Verb(verb.getKey(), verb.getValue()));
    }

    @ParameterizedTest
    @MethodSource("verbsThatWait")
    void endsTheWaitWithItsSqlstateAndChangesNothing(Verb verb) {
        queue.enqueue(TYPE, Refresh.of("k", "1"));
        ReservedJob<Refresh> job = queue.reserve(TYPE, 1, LEASE).get(0);
        queue.enqueue(TYPE, Refresh.of("k", "2"));
        var before = database.jobs();
        try (Session host = database.session()) {
            host.executes("SELECT 1 FROM tributary.jobs FOR UPDATE");
            assertThatExceptionOfType(DataAccessException.class)
                    .isThrownBy(() -> verb.does().apply(queue.withLockTimeout(SHORT), job))
                    .satisfies(e -> assertThat(e.sqlState()).isEqualTo("55P03"))
                    .withRootCauseInstanceOf(SQLException.class);
        }
        assertThat(database.jobs()).isEqualTo(before);
    }

    @Test
    void isNotLeftBehindInThePoolAndHoldsForEachTransaction() throws SQLException {
        queue.enqueue(TYPE, Refresh.of("k", "1"));
        try (Session host = database.session();
                OneConnection one = new OneConnection(database.dataSource(), true)) {
            JobQueue impatient = JobQueue.on(one.dataSource()).withLockTimeout(SHORT);
            host.executes("SELECT 1 FROM tributary.jobs FOR UPDATE");
            for (int time = 0; time < 2; time++) {
                assertThatExceptionOfType(DataAccessException.class)
                        .isThrownBy(() -> impatient.enqueue(TYPE, Refresh.of("k", "2")));
                assertThat(lockTimeout(one)).isEqualTo("0");
                impatient.enqueue(TYPE, Refresh.of("other" + time, "1"));
                assertThat(lockTimeout(one)).isEqualTo("0");
            }
        }
    }

    @Test
    void isThatOfTheNewQueueOnly() {
        queue.enqueue(TYPE, Refresh.of("k", "1"));
        queue.withLockTimeout(SHORT);
        try (Session producer = database.session()) {
            producer.does(q -> q.enqueue(TYPE, Refresh.of("k", "2")));
            var waiting = CompletableFuture.supplyAsync(() -> queue.enqueue(TYPE, Refresh.of("k", "3")));
            producer.awaitBlocking();
            producer.commits();
            assertThat(Session.result(waiting)).isInstanceOf(Enqueued.Merged.class);
        }
    }

    @Test
    void isRefusedOutOfRangeAndWithinACallersTransaction() {
        for (Duration bad : new Duration[] {Duration.ZERO, Duration.ofMillis(-1), Duration.ofDays(36_501)}) {
            Refusal.of(database, InvalidArgument.class, q -> q.withLockTimeout(bad), "the lock timeout is");
        }
        Refusal.of(database, InvalidArgument.class, q -> q.withLockTimeout(null), "the lock timeout is null");
        try (Session session = database.session()) {
            assertThatExceptionOfType(InvalidArgument.class)
                    .isThrownBy(() -> queue.within(session.connection()).withLockTimeout(SHORT))
                    .withMessageContaining("transactions of its own");
        }
    }

    private static String lockTimeout(OneConnection one) {
        return DSL.using(one.connection(), SQLDialect.POSTGRES)
                .fetchSingle("SHOW lock_timeout")
                .get(0, String.class);
    }
}
