package dev.tributary.examples.pricerefresh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.json.JsonMapper;

/**
 * Wrote the feed that is shipped, and writes it again, byte for byte: some catalogues are hot and most are cold, suppliers
 * send bursts, and the broker delivers one event in twenty a second time.
 */
final class FeedGenerator {
    private static final int LINES = 5_000;
    private static final int REDELIVERED_WITHIN = 200;
    private static final Instant BEGIN = Instant.parse("2026-01-31T06:00:00Z");
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final String HOT = "mode-herbst";
    private static final List<String> WARM = List.of("küche", "été-2026", "werkzeug");
    private static final List<String> COLD = List.of(
            "fahrrad",
            "garten",
            "papeterie",
            "livres-poche",
            "日用品",
            "家電",
            "ποδήλατα",
            "книги",
            "śniadanie",
            "kaffee",
            "jouets",
            "camping",
            "schmuck",
            "gewürze",
            "möbel",
            "lampes",
            "aquaristik",
            "vélo-enfant",
            "strom & licht",
            "crèmes",
            "🎁 cadeaux",
            "brettspiele",
            "wolle",
            "c-0042",
            "c-42",
            "4711",
            "naïve kunst",
            "hüte",
            "angeln",
            "épicerie fine",
            "tee",
            "bébé",
            "drogerie",
            "büro",
            "noten",
            "smørrebrød");

    private final Random random = new Random(20260131);
    private final List<String> lines = new ArrayList<>();
    private Instant at = BEGIN;
    private int events;

    private FeedGenerator() {}

    public static void main(String[] args) throws IOException {
        Files.write(Path.of(args[0]), feed());
    }

    static List<String> feed() {
        FeedGenerator generator = new FeedGenerator();
        while (generator.lines.size() < LINES) {
            generator.next();
        }
        return List.copyOf(generator.lines.subList(0, LINES));
    }

    private void next() {
        if (random.nextInt(400) == 0) {
            burst();
        } else {
            at = at.plusMillis(random.nextInt(4_000));
            deliver(event(catalogue(), random.nextInt(30) == 0 ? 30 + random.nextInt(60) : random.nextInt(1, 7)));
        }
        if (random.nextInt(20) == 0 && !lines.isEmpty()) {
            int from = Math.max(0, lines.size() - REDELIVERED_WITHIN);
            lines.add(lines.get(random.nextInt(from, lines.size())));
        }
    }

    /** A supplier sends its whole tariff, product by product. */
    private void burst() {
        String catalogue = catalogue();
        for (int i = 40 + random.nextInt(80); i > 0; i--) {
            at = at.plusMillis(random.nextInt(10));
            deliver(event(catalogue, random.nextInt(1, 3)));
        }
    }

    private void deliver(FeedEvent event) {
        lines.add(JSON.writeValueAsString(event));
    }

    private FeedEvent event(String catalogue, int products) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < products; i++) {
            String id = product(catalogue);
            if (!ids.contains(id)) {
                ids.add(id);
            }
        }
        return new FeedEvent(String.format("evt-%06d", ++events), at, catalogue, ids);
    }

    private String catalogue() {
        int percent = random.nextInt(100);
        if (percent < 30) {
            return HOT;
        }
        return percent < 60 ? WARM.get(percent % 3) : COLD.get(random.nextInt(COLD.size()));
    }

    /** An article in one of its sizes, or a number with zeros before it, which must not become a number on the way. */
    private String product(String catalogue) {
        int articles = catalogue.equals(HOT) ? 600 : WARM.contains(catalogue) ? 250 : 40;
        int article = Math.floorMod(catalogue.hashCode(), 90) * 1_000 + random.nextInt(articles);
        return article % 10 == 0
                ? String.format("%08d", article)
                : String.format("sku-%05d/%d", article, 36 + random.nextInt(4));
    }
}
