package dev.tributary.examples.pricerefresh;

import dev.tributary.examples.common.Unusable;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Supplier events, one JSON object a line. A bad line is an answer like any other. Several threads may read. */
final class Feed implements AutoCloseable {
    private static final String SHIPPED = "/price-refresh/feed.jsonl";
    private static final int LONGEST_LINE = 16 * 1024 * 1024;
    private static final int END = -1;

    /** A line of the feed, numbered from 1. */
    sealed interface Line {
        long number();

        record Event(long number, FeedEvent event) implements Line {}

        record Bad(long number, String reason) implements Line {}
    }

    private final InputStream bytes;
    private final long size;
    private long position;
    private long number;

    private Feed(InputStream bytes, long size) {
        this.bytes = new BufferedInputStream(bytes);
        this.size = size;
    }

    static Feed open(Path file) {
        if (!Files.exists(file)) {
            throw new Unusable("feed " + file + ": no such file");
        }
        if (Files.isDirectory(file)) {
            throw new Unusable("feed " + file + ": a directory, not a file");
        }
        try {
            return new Feed(Files.newInputStream(file), Files.size(file));
        } catch (IOException e) {
            throw new Unusable("feed " + file + ": cannot be read (" + e.getMessage() + ")");
        }
    }

    /** The one that comes with the example, written by {@link FeedGenerator}. */
    static Feed shipped() {
        try {
            var connection = Objects.requireNonNull(Feed.class.getResource(SHIPPED), SHIPPED)
                    .openConnection();
            return new Feed(connection.getInputStream(), connection.getContentLengthLong());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next lines, at most so many; empty at the end. */
    synchronized List<Line> next(int most) {
        return Stream.generate(this::next)
                .limit(most)
                .takeWhile(Optional::isPresent)
                .flatMap(Optional::stream)
                .toList();
    }

    /** The next line; empty at the end. */
    synchronized Optional<Line> next() {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        boolean ended = false;
        while (!ended) {
            int next = read();
            if (next == END && line.size() == 0) {
                return Optional.empty();
            }
            ended = next == END || next == '\n';
            if (line.size() <= LONGEST_LINE) {
                line.write(next);
            }
        }
        number++;
        return Optional.of(parse(line.toByteArray()));
    }

    private int read() {
        try {
            int next = bytes.read();
            position += next == END ? 0 : 1;
            return next;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Line parse(byte[] line) {
        try {
            String text = text(line);
            return new Line.Event(number, FeedEvent.parse(number == 1 ? withoutByteOrderMark(text) : text));
        } catch (BadLine e) {
            return new Line.Bad(number, e.getMessage());
        }
    }

    private static String text(byte[] line) throws BadLine {
        // The last byte is the line feed, or the mark of the end.
        int length = line.length - 1;
        if (length >= LONGEST_LINE) {
            throw new BadLine(LONGEST_LINE + " bytes or longer");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(line, 0, length))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new BadLine("not UTF-8");
        }
    }

    private static String withoutByteOrderMark(String text) {
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    /** Bytes read so far. */
    synchronized long position() {
        return position;
    }

    /** Bytes in all; less than 1 if it is not known. */
    long size() {
        return size;
    }

    @Override
    public void close() {
        try {
            bytes.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
