package dev.tributary.examples.trustscore;

import dev.tributary.examples.common.Given;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;

/**
 * What a run may be told by system properties.
 *
 * <table>
 * <caption>Properties and their defaults</caption>
 * <tr><td>{@code rows}</td><td>advertisements, 1,000 to 2,000,000; default: 20,000</td></tr>
 * <tr><td>{@code broken}</td><td>{@code true} runs the broken statement too; default: the daemon alone</td></tr>
 * <tr><td>{@code jdbc.url}</td><td>a PostgreSQL server; the run has a schema of its own there. Default: an embedded server</td></tr>
 * </table>
 */
record Options(int rows, boolean broken, Optional<String> jdbcUrl) {
    private static final int BATCHES = 80;

    static Options of(Properties properties) {
        Given given = new Given(properties);
        return new Options(given.whole("rows", 20_000, 1_000, 2_000_000), given.flag("broken"), given.text("jdbc.url"));
    }

    /** The table in so many batches, that somebody may look on. */
    int batchSize() {
        return Math.max(1, rows / BATCHES);
    }

    Duration pause() {
        return Duration.ofMillis(60);
    }

    Duration figuresEvery() {
        return Duration.ofMillis(500);
    }
}
