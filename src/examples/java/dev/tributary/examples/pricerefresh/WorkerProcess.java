package dev.tributary.examples.pricerefresh;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** A {@link WorkerMain} in a JVM of its own, so that it can be killed as processes are. */
final class WorkerProcess implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 20;

    private final Desk desk;
    private final Process process;
    private final PrintStream toWorker;
    private final Thread listening;
    private final AtomicInteger unanswered = new AtomicInteger();

    WorkerProcess(Store store, Desk desk) {
        this.desk = desk;
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                        "-Dorg.slf4j.simpleLogger.log.dev.tributary=off",
                        "-cp",
                        classPath(),
                        WorkerMain.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        // Not arguments: a process list shows those, and the URL may hold a password.
        builder.environment().put(WorkerMain.URL, store.url());
        builder.environment().put(WorkerMain.SCHEMA, store.schema());
        try {
            this.process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.toWorker = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.listening = new Thread(this::listen, "from-worker-" + process.pid());
        listening.setDaemon(true);
        listening.start();
    }

    /** exec:java runs the service on a class loader of its own. */
    private static String classPath() {
        return WorkerProcess.class.getClassLoader() instanceof URLClassLoader loader
                ? Arrays.stream(loader.getURLs())
                        .map(WorkerProcess::path)
                        .collect(Collectors.joining(java.io.File.pathSeparator))
                : System.getProperty("java.class.path");
    }

    private static String path(URL url) {
        return Path.of(java.net.URI.create(url.toString())).toString();
    }

    private void listen() {
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                Message message = Message.of(line);
                if (message instanceof Message.Ask) {
                    unanswered.incrementAndGet();
                }
                desk.take(message, this::answer);
            }
        } catch (IOException e) {
            // The worker is gone, and with it what it had to say.
        }
    }

    private void answer(Message.Answer answer) {
        unanswered.decrementAndGet();
        // A PrintStream keeps quiet if nobody listens any more.
        toWorker.println(answer.line());
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Whether handlers wait for the engine. */
    boolean isInTheMiddle() {
        return unanswered.get() > 0;
    }

    /** SIGKILL: nothing is settled, nothing given back. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Lets it end in order. */
    @Override
    public void close() {
        toWorker.close();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                kill();
            }
            listening.join();
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
        }
    }
}
