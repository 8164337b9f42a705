package dev.tributary.examples.pricerefresh;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tributary.JobQueue;
import dev.tributary.worker.Worker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The process that does the work: a {@link Worker} until its standard input ends, or Ctrl-C. */
public final class WorkerMain {
    static final String URL = "PRICE_REFRESH_URL";
    static final String SCHEMA = "PRICE_REFRESH_SCHEMA";

    private static final int CONCURRENCY = 16;
    private static final int CONNECTIONS = 4;
    /** Short, so that a run shows what becomes of the jobs of a worker that was killed. */
    private static final Duration LEASE = Duration.ofSeconds(2);

    private WorkerMain() {}

    public static void main(String[] args) throws IOException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(System.getenv(URL));
        config.setMaximumPoolSize(CONNECTIONS);
        RemoteEngine engine = new RemoteEngine(
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)),
                new PrintStream(System.out, true, StandardCharsets.UTF_8));
        try (HikariDataSource pool = new HikariDataSource(config);
                Worker worker = Worker.on(JobQueue.on(pool, System.getenv(SCHEMA)))
                        .handle(Refresh.PRICE_REFRESH, new RefreshHandler(engine))
                        .concurrency(CONCURRENCY)
                        .lease(LEASE)
                        .pollEvery(Duration.ofMillis(100))
                        .rescueEvery(Duration.ofMillis(500))
                        .closeWithin(Duration.ofSeconds(5))
                        .listener(new Reports(engine))
                        .build()) {
            Runtime.getRuntime().addShutdownHook(new Thread(worker::close));
            worker.start();
            engine.takeAnswers();
        }
    }
}
