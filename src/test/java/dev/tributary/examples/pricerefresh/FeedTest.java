package dev.tributary.examples.pricerefresh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.examples.common.Unusable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FeedTest {
    private static final String GOOD =
            "{\"eventId\":\"e1\",\"at\":\"2026-01-31T10:00:00Z\",\"catalogId\":\"c1\",\"productIds\":[\"001\",\"日本\"]}";

    @TempDir
    Path directory;

    @Test
    void readsEventsWithTheNumbersOfTheirLines() throws IOException {
        List<Feed.Line> lines = read(GOOD + "\nnonsense\n\n" + GOOD);

        FeedEvent event = new FeedEvent("e1", Instant.parse("2026-01-31T10:00:00Z"), "c1", List.of("001", "日本"));
        assertThat(lines).extracting(Feed.Line::number).containsExactly(1L, 2L, 3L, 4L);
        assertThat(lines.get(0)).isEqualTo(new Feed.Line.Event(1, event));
        assertThat(lines.get(1)).isInstanceOf(Feed.Line.Bad.class);
        assertThat(lines.get(2)).isEqualTo(new Feed.Line.Bad(3, "blank"));
        assertThat(lines.get(3)).isEqualTo(new Feed.Line.Event(4, event));
    }

    @Test
    void toleratesWindows() throws IOException {
        assertThat(read("\uFEFF" + GOOD + "\r\n" + GOOD + "\r\n"))
                .hasSize(2)
                .allMatch(Feed.Line.Event.class::isInstance);
    }

    @Test
    void takesAnEventWithoutProductsAndFieldsItDoesNotKnow() throws IOException {
        assertThat(read(GOOD.replace("[\"001\",\"日本\"]", "[],\"more\":{\"x\":1e400}")))
                .singleElement()
                .isInstanceOf(Feed.Line.Event.class);
    }

    @Test
    void anEmptyFileHasNoLines() throws IOException {
        assertThat(read("")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '´',
            value = {
                "\"e1\"                  | 7                     | eventId is not a string",
                "\"e1\"                  | null                  | eventId is not a string",
                "\"eventId\":\"e1\",     | ´´                    | no eventId",
                "\"2026-01-31T10:00:00Z\"| \"yesterday\"         | at is not a time: yesterday",
                "\"2026-01-31T10:00:00Z\"| 1769853600            | at is not a string",
                "\"c1\"                  | \"\"                  | catalogId is empty",
                "\"c1\"                  | \"c\\u0000\"          | catalogId holds U+0000",
                "\"c1\"                  | \"c\\ud800\"          | catalogId holds a lone surrogate",
                "\"c1\"                  | \"c1\",\"at\":\"x\"   | not JSON: Duplicate Object property \"at\"",
                "[\"001\",\"日本\"]      | \"001\"               | productIds is not an array",
                "\"productIds\"          | \"products\"          | no productIds",
                "\"001\"                 | 1                     | productIds[0] is not a string",
                "\"日本\"                | \"\"                  | productIds[1] is empty",
                "\"日本\"                | \"\\udc00\"           | productIds[1] holds a lone surrogate",
                "\"日本\"                | \"a\\u0000\"          | productIds[1] holds U+0000",
            })
    void aBadLineSaysWhy(String good, String bad, String reason) throws IOException {
        assertThat(read(GOOD.replace(good, bad))).containsExactly(new Feed.Line.Bad(1, reason));
    }

    @ParameterizedTest
    @CsvSource({"nonsense", "[]", "42", "{", "{}{}"})
    void whatIsNoObjectIsBad(String line) throws IOException {
        assertThat(read(line)).singleElement().isInstanceOf(Feed.Line.Bad.class);
    }

    @Test
    void bytesThatAreNotUtf8AreBad() throws IOException {
        byte[] latin1 = GOOD.replace("日本", "é").getBytes(StandardCharsets.ISO_8859_1);

        assertThat(read(latin1)).containsExactly(new Feed.Line.Bad(1, "not UTF-8"));
    }

    @Test
    void aMissingFileAndADirectoryAreNamed() {
        assertThatExceptionOfType(Unusable.class)
                .isThrownBy(() -> Feed.open(directory.resolve("none.jsonl")))
                .withMessageEndingWith("none.jsonl: no such file");
        assertThatExceptionOfType(Unusable.class)
                .isThrownBy(() -> Feed.open(directory))
                .withMessageEndingWith(": a directory, not a file");
    }

    @Test
    void theShippedFeedIsWhatTheGeneratorWrites() throws IOException {
        String shipped;
        try (InputStream resource = Feed.class.getResourceAsStream("/price-refresh/feed.jsonl")) {
            shipped = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        }

        assertThat(shipped.lines()).containsExactlyElementsOf(FeedGenerator.feed());
        try (Feed feed = Feed.shipped()) {
            assertThat(lines(feed)).hasSize(5_000).allMatch(Feed.Line.Event.class::isInstance);
        }
    }

    private List<Feed.Line> read(String text) throws IOException {
        return read(text.getBytes(StandardCharsets.UTF_8));
    }

    private List<Feed.Line> read(byte[] bytes) throws IOException {
        try (Feed feed = Feed.open(Files.write(directory.resolve("feed.jsonl"), bytes))) {
            return lines(feed);
        }
    }

    private static List<Feed.Line> lines(Feed feed) {
        List<Feed.Line> lines = new ArrayList<>();
        for (Optional<Feed.Line> line = feed.next(); line.isPresent(); line = feed.next()) {
            lines.add(line.get());
        }
        return lines;
    }
}
