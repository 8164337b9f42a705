package dev.tributary.examples.pricerefresh;

import dev.tributary.examples.common.Terminal;
import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** The line that tells how far the feed has been read; a line that renews itself on a terminal, one now and then elsewhere. */
final class Progress implements AutoCloseable {
    private static final int WIDTH = 110;
    private static final int LONGEST = 300;

    private final PrintStream out;
    private final boolean terminal = Terminal.isThere();
    private final ProgressBar bar;

    /** @param size of the feed in bytes; less than 1 if it is not known */
    Progress(long size, PrintStream out) {
        this.out = out;
        this.bar = new ProgressBarBuilder()
                .setTaskName("feed")
                .setInitialMax(size < 1 ? -1 : size)
                .setUnit(" KiB", 1024)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(terminal ? 250 : 5_000)
                .hideEta()
                .setConsumer(
                        terminal
                                ? new ConsoleProgressBarConsumer(out, WIDTH)
                                : new DelegatingProgressBarConsumer(out::println, WIDTH))
                .build();
    }

    void show(long position, String message) {
        bar.stepTo(position);
        bar.setExtraMessage(message);
    }

    /** Prints a line of its own above, without what would garble the terminal. */
    void say(String message) {
        String printable =
                message.substring(0, Math.min(message.length(), LONGEST)).replaceAll("\\p{Cntrl}", "?");
        out.println(terminal ? "\r" + printable + "\u001b[K" : printable);
    }

    @Override
    public void close() {
        bar.close();
    }
}
