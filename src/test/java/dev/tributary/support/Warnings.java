package dev.tributary.support;

import dev.tributary.JobQueue;
import dev.tributary.worker.Worker;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.simple.SimpleLogger;

/** Warnings of the library are formatted and written, to nowhere, while a test runs: a log may be what fails. */
public final class Warnings implements BeforeEachCallback, AfterEachCallback {
    private final PrintStream err = System.err;

    @Override
    public void beforeEach(ExtensionContext context) {
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        set(Level.WARN);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        set(Level.ERROR);
        System.setErr(err);
    }

    /** Simple loggers read their level once, from a file for all tests. */
    private static void set(Level level) {
        try {
            Field current = SimpleLogger.class.getDeclaredField("currentLogLevel");
            current.setAccessible(true);
            for (Logger logger :
                    List.of(LoggerFactory.getLogger(Worker.class), LoggerFactory.getLogger(JobQueue.class))) {
                current.setInt(logger, level.toInt());
            }
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
