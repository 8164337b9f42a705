package dev.tributary;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What PostgreSQL can store as text: no U+0000 and no half of a surrogate pair
 * (<a href="https://www.postgresql.org/docs/18/datatype-character.html">Character Types</a>).
 */
final class Text {
    /** An error text longer than this is cut. */
    static final int LONGEST_ERROR = 8_192;

    private static final int QUOTED = 40;

    private Text() {}

    /** Why the text cannot be stored, or empty if it can. */
    static Optional<String> flaw(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                return Optional.of("U+0000 at character " + i);
            }
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return Optional.of(String.format("a lone surrogate (U+%04X) at character %d", (int) c, i));
            }
        }
        return Optional.empty();
    }

    /** In quotation marks, for a message: of a long text its beginning. */
    static String quoted(String text) {
        boolean isShort = text.codePointCount(0, text.length()) <= QUOTED;
        return '"' + (isShort ? text : text.substring(0, text.offsetByCodePoints(0, QUOTED)) + "…") + '"';
    }

    /** Length in UTF-8, which is what the column checks count. */
    static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** The text with what cannot be stored replaced by U+FFFD, cut at {@link #LONGEST_ERROR} bytes; null becomes empty. */
    static String storable(@Nullable String text) {
        if (text == null) {
            return "";
        }
        StringBuilder storable = new StringBuilder();
        int bytes = 0;
        for (int i = 0; i < text.length(); ) {
            int point = text.codePointAt(i);
            i += Character.charCount(point);
            int clean = point == 0 || (point >= 0xD800 && point <= 0xDFFF) ? 0xFFFD : point;
            bytes += clean < 0x80 ? 1 : clean < 0x800 ? 2 : clean < 0x10000 ? 3 : 4;
            if (bytes > LONGEST_ERROR) {
                break;
            }
            storable.appendCodePoint(clean);
        }
        return storable.toString();
    }
}
