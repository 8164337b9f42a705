package dev.tributary.worker;

import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.support.Await;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The clocks of JVM and server are minutes and zones apart: times are the server's, durations are of either. */
@Isolated("it sets the time zone of the JVM")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClocksApartTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final TimeZone zone = TimeZone.getDefault();

    @AfterEach
    void putTheZoneBack() {
        TimeZone.setDefault(zone);
    }

    @ParameterizedTest
    @CsvSource({"10, Pacific/Kiritimati, America/Adak", "-10, America/Adak, Asia/Kathmandu"})
    void leasesAreKeptAndRescued(int minutes, String ofTheJvm, String ofTheServer) {
        TimeZone.setDefault(TimeZone.getTimeZone(ofTheJvm));
        JobQueue queue = JobQueue.on(clockAhead(minutes, ofTheServer));
        queue.enqueue(TYPE, Refresh.of("dropped", "p1"));
        long dropped = queue.reserve(TYPE, 1, Duration.ofMillis(100)).get(0).id();
        queue.enqueue(TYPE, Refresh.of("long", "p2"));

        Set<Long> handled = ConcurrentHashMap.newKeySet();
        Ends ends = new Ends();
        try (Worker worker = Worker.on(queue)
                .handle(TYPE, job -> {
                    Await.until(
                            () -> !job.payload().catalogId().equals("long")
                                    || database.job(job.id()).getLeaseUntil().isAfter(job.leaseUntil()),
                            () -> "the lease is not renewed");
                    assertThat(handled.add(job.id())).isTrue();
                    return Outcome.done();
                })
                .lease(Duration.ofSeconds(1))
                .rescueEvery(Duration.ofMillis(100))
                .listener(ends)
                .build()) {
            worker.start();
            ends.await(2);
        }
        assertThat(handled).hasSize(2).contains(dropped);
        assertThat(database.job(dropped).getFinishedAt())
                .isCloseTo(Instant.now().plus(minutes, ChronoUnit.MINUTES), within(5, ChronoUnit.MINUTES));
        assertThat(database.jobs())
                .allMatch(job -> job.getStatus() == JobStatus.COMPLETED && job.getDurationMs() < 60_000);
    }

    /** A function of ours that the search path finds before the server's own. */
    private static PGSimpleDataSource clockAhead(int minutes, String zone) {
        database.execute("CREATE SCHEMA IF NOT EXISTS elsewhere");
        database.execute("CREATE OR REPLACE FUNCTION elsewhere.statement_timestamp() RETURNS timestamptz STABLE"
                + " LANGUAGE sql AS $$ SELECT pg_catalog.statement_timestamp() + interval '" + minutes
                + " minutes' $$");
        PGSimpleDataSource dataSource = database.dataSource();
        dataSource.setOptions("-c search_path=elsewhere,pg_catalog -c timezone=" + zone);
        return dataSource;
    }
}
