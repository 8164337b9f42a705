package dev.tributary.examples.trustscore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.examples.common.Unusable;
import dev.tributary.support.Database;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrustScoreTest {
    private static final int ROWS = 1_000;

    @RegisterExtension
    static final Database database = Database.migrated();

    private final CompletableFuture<Void> end = new CompletableFuture<Void>().orTimeout(120, TimeUnit.SECONDS);
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @AfterEach
    void tables() {
        database.execute("DROP TABLE IF EXISTS ads, ads_of_the_broken");
    }

    @Test
    void theDaemonFinishesBesideTheBrokenStatementThatDoesNot() {
        Summary summary = run("rows=" + ROWS, "broken=true");

        assertThat(summary.isAllDone()).isTrue();
        Summary.Broken broken = summary.broken().orElseThrow();
        assertThat(broken.scored()).isPositive().isLessThan(ROWS / 4);
        assertThat(broken.sent().idle()).isGreaterThan(broken.sent().statements() / 2);

        assertThat(says("SET ASIDE")).containsExactly("SET ASIDE: row 333 cannot be written: ERROR: division by zero");
        assertThat(says("STALLED"))
                .containsExactly("STALLED: 3 rows wait and none left the set in two runs:"
                        + " they are still in the set after they were written, as 250, 500, 750");
        assertThat(says("mended")).containsExactly("mended: 333", "mended: 250, 500, 750");
        // Each row was done once, or more would be.
        assertThat(says("RECOVERED")).singleElement().asString().contains(": 0 waiting, 1000 done, ");
        assertThat(says("TROUBLE")).isEmpty();
        assertThat(printed.toString(StandardCharsets.UTF_8)).doesNotContain("\r", "\u001b");

        ByteArrayOutputStream end = new ByteArrayOutputStream();
        summary.print(new PrintStream(end, true, StandardCharsets.UTF_8));
        assertThat(end.toString(StandardCharsets.UTF_8).lines())
                .hasSize(2)
                .first()
                .asString()
                .startsWith("The daemon scored 1,000 of 1,000 rows in ");
    }

    @Test
    void endedEarlyItLeavesRows() {
        end.complete(null);
        assertThat(run("rows=" + ROWS).isAllDone()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"rows=many", "rows=0", "rows=2000001", "broken=perhaps"})
    void nonsenseIsRefusedByName(String option) {
        assertThatExceptionOfType(Unusable.class)
                .isThrownBy(() -> options(option))
                .withMessageStartingWith("-D" + option + ": ");
    }

    private List<String> says(String what) {
        return printed.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith(what))
                .toList();
    }

    private Summary run(String... given) {
        try (Screen screen = new Screen(new PrintStream(printed, true, StandardCharsets.UTF_8), 2)) {
            return new Scoring(options(given), database.pool(), "public", screen).run(end);
        }
    }

    private static Options options(String... given) {
        Properties properties = new Properties();
        for (String option : given) {
            String[] pair = option.split("=");
            properties.setProperty(pair[0], pair[1]);
        }
        return Options.of(properties);
    }
}
