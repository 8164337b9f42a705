package dev.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A migration that has landed has run somewhere: another byte in it stops every host that ran it. A change is a new file,
 * and a line in {@code migrations.sha256}: {@code (cd db/migrations && sha256sum *) > src/test/resources/migrations.sha256}.
 */
class MigrationsFrozenTest {
    private static final Path BASE = Path.of(System.getProperty("project.basedir"));
    private static final Path LIST = BASE.resolve("src/test/resources/migrations.sha256");

    @Test
    void everyMigrationIsListedAndAsItWasListed() throws IOException {
        List<String> listed = Files.readAllLines(LIST);
        List<String> found =
                migrations().stream().map(MigrationsFrozenTest::line).toList();
        assertThat(found).isNotEmpty().containsExactlyInAnyOrderElementsOf(listed);
    }

    @Test
    void everyMigrationHasAVersionThatNoOtherHas() {
        assertThat(migrations())
                .extracting(file -> file.getFileName().toString())
                .allMatch(name -> name.matches("V[1-9][0-9]*__[a-z0-9_]+\\.sql"))
                .extracting(name -> name.substring(0, name.indexOf("__")))
                .doesNotHaveDuplicates();
    }

    @Test
    void linesEndInLineFeeds() {
        assertThat(migrations())
                .allSatisfy(file -> assertThat(text(file)).doesNotContain("\r").endsWith("\n"));
    }

    @Test
    void noMigrationLeavesItsTransactionOrNamesASchema() {
        assertThat(migrations())
                .allSatisfy(file -> assertThat(text(file)).doesNotContainIgnoringCase("concurrently", "tributary."));
    }

    private static List<Path> migrations() {
        try (Stream<Path> files = Files.walk(BASE.resolve("db/migrations"))) {
            return files.filter(Files::isRegularFile).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String line(Path file) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
            return HexFormat.of().formatHex(hash) + "  " + file.getFileName();
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new IllegalStateException(file.toString(), e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
