package dev.tributary.examples.trustscore;

import dev.tributary.batch.BatchDaemon;
import dev.tributary.examples.common.Rounds;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import me.tongfei.progressbar.ProgressBar;

/** The daemon at work, alone or beside the broken statement. */
final class Scoring {
    private final Options options;
    private final DataSource dataSource;
    private final String schema;
    private final Screen screen;

    Scoring(Options options, DataSource dataSource, String schema, Screen screen) {
        this.options = options;
        this.dataSource = dataSource;
        this.schema = schema;
        this.screen = screen;
    }

    /** Runs until the daemon has scored every row, or until somebody else completes {@code end}. */
    Summary run(CompletableFuture<Void> end) {
        return options.broken() ? both(end) : new Summary(options.rows(), daemon(end), Optional.empty());
    }

    private Summary.Daemon daemon(CompletableFuture<Void> end) {
        Ads ads = Ads.create(dataSource, schema, "ads", options.rows());
        try (ProgressBar bar = screen.bar("the daemon", options.rows())) {
            Operator operator = new Operator(ads, bar, screen::say, end);
            try (BatchDaemon daemon = ads.daemon(options).listener(operator).on(dataSource, schema)) {
                daemon.start();
                end.join();
            }
            return new Summary.Daemon(ads.scored(), operator.runs(), operator.idleRuns());
        }
    }

    /** The broken statement has rows of its own, and as long as the daemon takes for the same. */
    private Summary both(CompletableFuture<Void> end) {
        Ads ads = Ads.create(dataSource, schema, "ads_of_the_broken", options.rows());
        try (ProgressBar bar = screen.bar("the broken", options.rows())) {
            Broken broken = new Broken(ads, options.batchSize(), bar);
            Summary.Daemon daemon;
            try (Rounds rounds = new Rounds(1, screen::say, end)) {
                rounds.pausing(options.pause(), broken::round);
                daemon = daemon(end);
            }
            return new Summary(options.rows(), daemon, Optional.of(new Summary.Broken(ads.scored(), broken.count())));
        }
    }
}
