package dev.tributary.examples.pricerefresh;

import dev.tributary.examples.common.CtrlC;
import dev.tributary.examples.common.Rounds;
import dev.tributary.examples.common.Server;
import dev.tributary.examples.common.Unusable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jooq.exception.DataAccessException;

/**
 * Runs the service on a feed and counts: {@code mvn -q -Prun}, told more by the properties in {@link Options}. Exit status:
 * 0 if nothing is lost, 1 if something is or the run broke, 2 if it could not begin.
 */
public final class PriceRefresh {
    private PriceRefresh() {}

    public static void main(String[] args) {
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
            return summary.balance().lost() == 0 ? 0 : 1;
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
        try (Feed feed = options.feed().map(Feed::open).orElseGet(Feed::shipped);
                Server server = Server.open("price_refresh", options.jdbcUrl(), options.keepSchema());
                Progress progress = new Progress(feed.size(), System.err)) {
            Store store = new Store(server.dataSource(), server.url(), server.schema());
            return new Service(options, store, feed, progress).run(end);
        }
    }
}
