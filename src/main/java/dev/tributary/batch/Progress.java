package dev.tributary.batch;

import java.time.Duration;
import java.util.Optional;

/**
 * How far a daemon has come.
 *
 * @param selected rows that were chosen in this run
 * @param done of those, rows that left the set
 * @param waiting rows that are still to do
 * @param ratePerMinute rows that left the set, for a minute of the time since the figures before these; the pauses between the
 *     runs are part of that time
 * @param stalled whether rows wait, and none has left the set in this run and the one before, see {@link Stall}
 * @param waitingCounted whether {@code waiting} was counted at the end of the run; else it is the last count less what has left
 *     since, and rows that came meanwhile are not in it
 * @param doneInAll rows that have left the set since the daemon was made
 * @param failed of those that were chosen in this run, rows that could not be written and are set aside, see
 *     {@link BatchListener.RowSetAside}
 */
public record Progress(
        long selected,
        long done,
        long waiting,
        double ratePerMinute,
        boolean stalled,
        boolean waitingCounted,
        long doneInAll,
        long failed) {
    /** Of the rows that were chosen in this run, those that were written and are still to do. */
    public long stayed() {
        return selected - done - failed;
    }

    /** How long the rest takes if it goes on like this; empty if nothing moves. */
    public Optional<Duration> timeLeft() {
        if (waiting == 0) {
            return Optional.of(Duration.ZERO);
        }
        double seconds = waiting / ratePerMinute * 60;
        return Double.isFinite(seconds) ? Optional.of(Duration.ofSeconds(Math.round(seconds))) : Optional.empty();
    }

    /** In one line, for a log. */
    @Override
    public String toString() {
        return String.format(
                "%s%d waiting, %d done, %.0f a minute, %s left%s",
                waitingCounted ? "" : "about ",
                waiting,
                doneInAll,
                ratePerMinute,
                timeLeft().map(Progress::readable).orElse("no end of it"),
                counted(stayed(), " stayed") + counted(failed, " failed"));
    }

    private static String counted(long rows, String what) {
        return rows > 0 ? ", " + rows + what : "";
    }

    private static String readable(Duration time) {
        if (time.toHours() > 0) {
            return time.toHours() + " h " + time.toMinutesPart() + " min";
        }
        return time.toMinutes() > 0 ? time.toMinutes() + " min" : time.toSeconds() + " s";
    }
}
