package dev.tributary.linkage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.linkage.References.Reference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** One jar links with every version of a library that a host may bring: all that it refers to is there. */
class LinkageTest {
    private static final Path TARGET = Path.of(System.getProperty("project.basedir"), "target");

    private static final Set<Reference> REFERENCES = References.of(TARGET.resolve("classes"));

    /** A directory each, filled by the build. */
    static List<Path> versions() throws IOException {
        try (Stream<Path> directories = Files.list(TARGET.resolve("linkage"))) {
            return directories.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void everyReferenceResolves(Path version) {
        Library library = Library.in(version);
        List<Reference> asked = REFERENCES.stream().filter(library::isOf).toList();
        assertThat(asked).as("references to it").isNotEmpty();
        assertThat(asked).filteredOn(reference -> !library.resolves(reference)).isEmpty();
    }

    /** The first that the POM names is the one it is published with, the second the newest. */
    @ParameterizedTest
    @CsvSource({
        "jooq, jooq.version",
        "flyway, flyway.version",
        "jackson, jackson.version",
        "pgjdbc, postgresql.version",
        "slf4j, slf4j.version"
    })
    void theVersionsOfThePomAreAmongThem(String library, String property) throws IOException {
        String pom = Files.readString(TARGET.resolveSibling("pom.xml"));
        List<String> named = Pattern.compile("<" + property + ">([^<]+)</")
                .matcher(pom)
                .results()
                .map(match -> library + "-" + match.group(1))
                .toList();
        assertThat(named).hasSize(2);
        assertThat(versions())
                .extracting(version -> version.getFileName().toString())
                .containsAll(named);
    }

    /** That the check can fail: of 3.21 it would have told this. */
    @Test
    void aMethodThatIsNotThereDoesNotResolve() throws IOException {
        Path newest = versions().stream()
                .filter(version -> version.getFileName().toString().startsWith("jooq-3.21"))
                .findFirst()
                .orElseThrow();
        Reference old = new Reference("org/jooq/impl/DSL", "notExists", "(Lorg/jooq/Select;)Lorg/jooq/Condition;");
        assertThat(Library.in(newest).resolves(old)).isFalse();
    }
}
