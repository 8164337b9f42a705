package dev.tributary.examples.trustscore;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Optional;

/** What a run says at its end. */
record Summary(int rows, Daemon daemon, Optional<Broken> broken) {
    /**
     * @param scored rows
     * @param runs that it told its figures of
     * @param idle runs of those in which no row was scored
     */
    record Daemon(int scored, int runs, int idle) {}

    record Broken(int scored, dev.tributary.examples.trustscore.Broken.Count sent) {}

    boolean isAllDone() {
        return daemon.scored() == rows;
    }

    void print(PrintStream out) {
        out.printf(
                Locale.ROOT,
                "The daemon scored %,d of %,d rows in %d runs, %d of them with nothing it could score.%n",
                daemon.scored(),
                rows,
                daemon.runs(),
                daemon.idle());
        broken.ifPresent(it -> out.printf(
                Locale.ROOT,
                "The broken statement scored %,d of %,d rows; it was sent %d times, %d of them for nothing.%n",
                it.scored(),
                rows,
                it.sent().statements(),
                it.sent().idle()));
    }
}
