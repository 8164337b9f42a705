package dev.tributary.examples.pricerefresh;

import dev.tributary.examples.common.Given;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;

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

    static Options of(Properties properties) {
        Given given = new Given(properties);
        return new Options(
                given.text("feed").map(Path::of),
                given.whole("feed.rate", 250, 1, 1_000_000),
                given.text("jdbc.url"),
                given.flag("jdbc.keep"),
                given.whole("engine.queue", 12, 1, Integer.MAX_VALUE),
                given.whole("worker.kills", 1, 0, 100),
                given.value("engine.seed", 1L, Long::valueOf),
                new Chances.Rates(
                        given.chance("engine.hand", 0.05),
                        given.chance("engine.full", 0.01),
                        given.chance("engine.deploy", 0.002)));
    }
}
