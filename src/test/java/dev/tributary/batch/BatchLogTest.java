package dev.tributary.batch;

import dev.tributary.support.Database;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** What a daemon has to log and cannot, since the message throws. */
@ResourceLock(Resources.SYSTEM_ERR)
class BatchLogTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private final PrintStream err = System.err;

    private static final class Evil extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new Evil();
        }
    }

    @BeforeEach
    void writeToNowhere() {
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    }

    @AfterEach
    void restore() {
        System.setErr(err);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void doesNotEndItsThread() {
        Ads.create(database, 20);
        AtomicInteger calls = new AtomicInteger();
        try (BatchDaemon daemon = BatchDaemon.named("scores")
                .over(Ads.ADS)
                .key(Ads.ID)
                .whileTrue(Ads.TRUST_SCORE.isNull())
                .compute((tx, rows) -> {
                    if (calls.incrementAndGet() == 1) {
                        throw new Evil();
                    }
                    rows.forEach(row -> row.set(Ads.TRUST_SCORE, 1));
                    return rows;
                })
                .every(Duration.ofMillis(10))
                .listener(new BatchListener() {
                    @Override
                    public void trouble(Trouble event) {
                        throw new Evil();
                    }
                })
                .on(database.pool())) {
            daemon.start();
            Ads.awaitScored(database);
        }
    }
}
