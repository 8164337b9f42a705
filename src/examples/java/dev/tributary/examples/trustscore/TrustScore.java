package dev.tributary.examples.trustscore;

import dev.tributary.examples.common.CtrlC;
import dev.tributary.examples.common.Rounds;
import dev.tributary.examples.common.Server;
import dev.tributary.examples.common.Unusable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jooq.exception.DataAccessException;

/**
 * Scores advertisements: {@code mvn -q -Prun -Dexample=trust-score}, told more by the properties in {@link Options}. Exit status:
 * 0 if every row is done, 1 if one is not or the run broke, 2 if it could not begin.
 */
public final class TrustScore {
    private TrustScore() {}

    public static void main(String[] args) {
        // What the daemon logs is what its listener is told, and that is printed; an error the listener throws is still
        // logged.
        System.setProperty("org.slf4j.simpleLogger.log.dev.tributary.batch", "error");
        int status = status();
        if (status != 0) {
            System.exit(status);
        }
    }

    private static int status() {
        try (CtrlC ctrlC = new CtrlC()) {
            return status(ctrlC.end());
        }
    }

    private static int status(CompletableFuture<Void> end) {
        try {
            Summary summary = run(Options.of(System.getProperties()), end);
            summary.print(System.out);
            return summary.isAllDone() ? 0 : 1;
        } catch (Unusable e) {
            System.err.println(e.getMessage());
            return 2;
        } catch (CompletionException e) {
            System.err.println("the run broke: " + e.getCause());
            return 1;
        } catch (DataAccessException e) {
            System.err.println("the run broke: " + Rounds.reason(e));
            return 1;
        }
    }

    private static Summary run(Options options, CompletableFuture<Void> end) {
        try (Server server = Server.open("trust_score", options.jdbcUrl(), false);
                Screen screen = new Screen(System.err, options.broken() ? 2 : 1)) {
            return new Scoring(options, server.dataSource(), server.schema(), screen).run(end);
        }
    }
}
