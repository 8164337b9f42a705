package dev.tributary.bench;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import dev.tributary.batch.BatchDaemon;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/**
 * A column of many rows is filled in batches ({@code -Drows=}, 2,000,000 by default): whether the last batches take as long as the
 * first, for the daemon and for what others write instead.
 */
final class Batches {
    private static final int BATCH = 10_000;
    private static final Field<Long> ID = field(name("id"), SQLDataType.BIGINT);
    private static final Field<Integer> SCORE = field(name("trust_score"), SQLDataType.INTEGER);

    private final Server server;
    private final int rows = Integer.getInteger("rows", 2_000_000);

    Batches(Server server) {
        this.server = server;
    }

    /** One batch; how many rows it wrote. */
    private interface Batch {
        long run() throws SQLException;
    }

    void run() throws SQLException {
        System.out.printf(
                "%,d rows in batches of %,d              rows/s    first five   last five    ratio%n", rows, BATCH);
        BatchDaemon daemon = BatchDaemon.named("bench")
                .over(table(name("ads")))
                .key(ID)
                .whileTrue(SCORE.isNull())
                .set(SCORE, ID.mod(100).cast(SQLDataType.INTEGER))
                .batchSize(BATCH)
                .timeBudget(Duration.ofNanos(1))
                .countEvery(Integer.MAX_VALUE)
                .on(server.pool());
        measure("batch daemon", rows / BATCH, () -> daemon.runOnce().done());
        measure("the first rows to do, each time", rows / BATCH, () -> server.execute("""
                UPDATE ads SET trust_score = id % 100
                  FROM (SELECT id AS chosen FROM ads WHERE trust_score IS NULL ORDER BY id LIMIT 10000) batch
                 WHERE id = chosen"""));
        measure("ORDER BY random(), the first ten only", 10, () -> server.execute("""
                UPDATE ads SET trust_score = id % 100
                  FROM (SELECT id AS chosen FROM ads WHERE trust_score IS NULL ORDER BY random() LIMIT 10000) batch
                 WHERE id = chosen"""));
    }

    private void measure(String what, int batches, Batch batch) throws SQLException {
        server.execute("DROP TABLE IF EXISTS ads");
        server.execute("CREATE TABLE ads (id bigint PRIMARY KEY, title text, trust_score integer)");
        server.execute(
                "INSERT INTO ads SELECT n, 'the title of advertisement ' || n FROM generate_series(1, " + rows + ") n");
        server.execute("VACUUM ANALYZE ads");
        server.execute("CHECKPOINT");
        List<Long> nanos = new ArrayList<>();
        long done = 0;
        long begin = System.nanoTime();
        for (int i = 0; i < batches; i++) {
            long start = System.nanoTime();
            done += batch.run();
            nanos.add(System.nanoTime() - start);
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        if (done != (long) batches * BATCH) {
            throw new IllegalStateException(what + " wrote " + done + " rows");
        }
        double first = milliseconds(nanos.subList(0, 5));
        double last = milliseconds(nanos.subList(batches - 5, batches));
        System.out.printf(
                "%-40s %,10d/s %9.0f ms %8.0f ms     %.2f%n",
                what, Math.round(done / seconds), first, last, last / first);
    }

    private static double milliseconds(List<Long> nanos) {
        return nanos.stream().mapToLong(Long::longValue).average().orElseThrow() / 1e6;
    }
}
