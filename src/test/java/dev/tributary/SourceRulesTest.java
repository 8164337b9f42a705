package dev.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules of CONTRIBUTING that a compiler does not know. */
class SourceRulesTest {
    private static final Path BASE = Path.of(System.getProperty("project.basedir"));
    private static final Pattern SQL_STRING =
            Pattern.compile("\\b(resultQuery|query|execute|fetch|field|condition|table|sql)\\(\\s*\"");

    @Test
    void sqlStringsAreInOneClass() {
        assertThat(sources("src/main/java"))
                .filteredOn(file -> SQL_STRING.matcher(text(file)).find())
                .extracting(file -> file.getFileName().toString())
                .containsExactly("PlainSql.java");
    }

    @Test
    void statementsAreBuiltAndNotRunInTheirRoom() {
        assertThat(sources("src/main/java/dev/tributary/internal/sql"))
                .noneMatch(file -> text(file).contains("DSLContext"));
    }

    @Test
    void noTimeOfDayIsTakenFromTheJvm() {
        assertThat(sources("src/main/java"))
                .noneMatch(file -> Pattern.compile("\\.now\\(\\)|currentTimeMillis|new Date\\(|currentTimestamp")
                        .matcher(text(file).replace("Clock.now()", ""))
                        .find());
    }

    @Test
    void noClassIsLong() {
        assertThat(Stream.of("src/main/java", "src/test/java", "src/examples/java", "src/bench/java")
                        .map(BASE::resolve)
                        .filter(Files::exists)
                        .flatMap(root -> sources(BASE.relativize(root).toString()).stream()))
                .allSatisfy(file -> assertThat(text(file).lines()).hasSizeLessThanOrEqualTo(250));
    }

    private static List<Path> sources(String root) {
        try (Stream<Path> files = Files.walk(BASE.resolve(root))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
