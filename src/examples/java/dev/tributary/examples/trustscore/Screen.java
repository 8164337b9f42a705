package dev.tributary.examples.trustscore;

import dev.tributary.examples.common.Terminal;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Bars below each other that renew themselves, and what is said above them; without a terminal, a line after the other. */
final class Screen implements AutoCloseable {
    private static final int WIDTH = 118;
    private static final String TO_LINE_END = "\u001b[K";
    private static final String NO_WRAP = "\u001b[?7l";
    private static final String WRAP = "\u001b[?7h";

    private final PrintStream out;
    private final boolean terminal = Terminal.isThere();
    private final List<String> lines;
    private int bars;

    Screen(PrintStream out, int bars) {
        this.out = out;
        this.lines = new ArrayList<>(Collections.nCopies(bars, ""));
        if (terminal) {
            out.print("\n".repeat(bars));
        }
    }

    /** The next bar, from top to bottom. */
    ProgressBar bar(String name, long rows) {
        int line = bars++;
        return new ProgressBarBuilder()
                .setTaskName(name)
                .setInitialMax(rows)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(terminal ? 200 : 1_000)
                .hideEta()
                // Also when only the message changes: that nothing moves is to be seen.
                .continuousUpdate()
                .setConsumer(new DelegatingProgressBarConsumer(text -> show(line, text), WIDTH))
                .build();
    }

    private synchronized void show(int line, String text) {
        String shown = text.stripTrailing();
        if (lines.set(line, shown).equals(shown)) {
            return;
        }
        if (terminal) {
            out.print(up() + bars());
        } else {
            out.println(shown);
        }
    }

    /** Messages of one length leave bars of one length. */
    static String padded(String message) {
        return String.format("%-64s", message);
    }

    /** A line of its own. */
    synchronized void say(String message) {
        String printable = message.replaceAll("\\p{Cntrl}", " ");
        if (terminal) {
            out.print(up() + printable + TO_LINE_END + "\n" + bars());
        } else {
            out.println(printable);
        }
    }

    private String up() {
        return "\u001b[" + lines.size() + "A\r";
    }

    /** A bar that were wrapped would be a line more than is gone up. */
    private String bars() {
        return NO_WRAP + String.join(TO_LINE_END + "\n", lines) + TO_LINE_END + "\n" + WRAP;
    }

    @Override
    public void close() {
        out.flush();
    }
}
