package dev.tributary.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.JobQueue;
import dev.tributary.TributaryException;
import java.lang.reflect.Proxy;
import java.util.function.Function;
import javax.sql.DataSource;

/** Bad input is refused by name before any SQL, and a caller's transaction goes on as if nothing had been asked. */
public final class Refusal {
    private Refusal() {}

    /** A queue that fails the test if it asks for a connection. */
    public static JobQueue queueWithoutConnections() {
        return JobQueue.on(dataSourceWithoutConnections());
    }

    /** It fails the test if it is asked for a connection. */
    public static DataSource dataSourceWithoutConnections() {
        return (DataSource) Proxy.newProxyInstance(
                Refusal.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    throw new AssertionError("SQL was about to be sent: " + method.getName());
                });
    }

    /** What is done with both kinds of queue is refused with a message in which all these words are. */
    public static void of(
            Database database,
            Class<? extends TributaryException> refusal,
            Function<JobQueue, ?> verb,
            String... words) {
        assertRefused(refusal, verb, queueWithoutConnections(), words);
        int jobs = database.jobs().size();
        try (Session tx = database.session()) {
            tx.executes("CREATE TEMPORARY TABLE caller (n int)");
            tx.does(queue -> {
                assertRefused(refusal, verb, queue, words);
                return true;
            });
            // Fails if the transaction was aborted.
            tx.executes("INSERT INTO caller VALUES (1)");
            tx.commits();
        }
        assertThat(database.jobs()).hasSize(jobs);
    }

    private static void assertRefused(
            Class<? extends TributaryException> refusal, Function<JobQueue, ?> verb, JobQueue queue, String... words) {
        assertThatExceptionOfType(refusal)
                .isThrownBy(() -> verb.apply(queue))
                .satisfies(e -> assertThat(e.getMessage()).contains(words));
    }
}
