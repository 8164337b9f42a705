package dev.tributary.examples.pricerefresh;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;

/**
 * What a run may be told by system properties.
 *
 * <table>
 * <caption>Properties and their defaults</caption>
 * <tr><td>{@code feed}</td><td>a file, one event a line; default: the shipped feed</td></tr>
 * <tr><td>{@code feed.rate}</td><td>lines a second, 1 to 1,000,000; default: 250</td></tr>
 * <tr><td>{@code jdbc.url}</td><td>a PostgreSQL server; the run has a schema of its own there. Default: an embedded server</td></tr>
 * <tr><td>{@code jdbc.keep}</td><td>{@code true} leaves that schema there; default: it is dropped at the end</td></tr>
 * <tr><td>{@code engine.seed}</td><td>of all chances; default: 1</td></tr>
 * <tr><td>{@code engine.queue}</td><td>requests the engine holds before it is full, 1 or more; default: 12</td></tr>
 * <tr><td>{@code engine.hand}</td><td>chance, for each request, that one of its products is refreshed by hand; default: 0.05</td></tr>
 * <tr><td>{@code engine.full}</td><td>chance, for each request, of a full refresh of its catalogue; default: 0.01</td></tr>
 * <tr><td>{@code engine.deploy}</td><td>chance, for each request, of a deploy that stops the engine; default: 0.002</td></tr>
 * <tr><td>{@code worker.kills}</td><td>how often the process of the worker is killed (SIGKILL) in the middle of its work, 0 to 100; default: 1</td></tr>
 * </table>
 */
record Options(
        Optional<Path> feed,
        int linesPerSecond,
        Optional<String> jdbcUrl,
        boolean keepSchema,
        int engineQueue,
        int kills,
        long seed,
        Chances.Rates rates) {

    static Options of(Properties given) {
        return new Options(
                text(given, "feed").map(Path::of),
                whole(given, "feed.rate", 250, 1, 1_000_000),
                text(given, "jdbc.url"),
                value(given, "jdbc.keep", false, Boolean::valueOf),
                whole(given, "engine.queue", 12, 1, Integer.MAX_VALUE),
                whole(given, "worker.kills", 1, 0, 100),
                value(given, "engine.seed", 1L, Long::valueOf),
                new Chances.Rates(
                        chance(given, "engine.hand", 0.05),
                        chance(given, "engine.full", 0.01),
                        chance(given, "engine.deploy", 0.002)));
    }

    private static Optional<String> text(Properties given, String name) {
        return Optional.ofNullable(given.getProperty(name)).filter(value -> !value.isBlank());
    }

    private static int whole(Properties given, String name, int otherwise, int least, int most) {
        int value = value(given, name, otherwise, Integer::valueOf);
        if (value < least || value > most) {
            throw new Unusable("-D" + name + "=" + value + ": it must be from " + least + " to " + most);
        }
        return value;
    }

    private static double chance(Properties given, String name, double otherwise) {
        double value = value(given, name, otherwise, Double::valueOf);
        if (!(value >= 0 && value <= 1)) {
            throw new Unusable("-D" + name + "=" + value + ": it must be from 0 to 1");
        }
        return value;
    }

    private static <T> T value(Properties given, String name, T otherwise, Function<String, T> parse) {
        Optional<String> value = text(given, name);
        try {
            return value.map(parse).orElse(otherwise);
        } catch (NumberFormatException e) {
            throw new Unusable("-D" + name + "=" + value.orElse("") + ": not a number it can be");
        }
    }
}
