package dev.tributary.internal;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What PostgreSQL can store as text: no U+0000 and no half of a surrogate pair
 * (<a href="https://www.postgresql.org/docs/18/datatype-character.html">Character Types</a>).
 */
public final class Text {
    /** Of a key, in bytes: the index entry of a longer one may not fit. */
    private static final int LONGEST_KEY = 1_024;

    private static final int QUOTED = 40;

    private Text() {}

    /** Why the text cannot be stored, or empty if it can. */
    public static Optional<String> flaw(CharSequence text) {
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

    /**
     * Why the text cannot be a key, or empty if it can.
     *
     * @param what names the kind of key
     */
    public static Optional<String> keyFlaw(String what, String key) {
        int bytes = bytes(key);
        if (bytes > LONGEST_KEY) {
            return Optional.of(
                    "a " + what + " has at most " + LONGEST_KEY + " bytes, this one " + bytes + ": " + quoted(key));
        }
        return flaw(key).map(flaw -> "the " + what + " holds " + flaw);
    }

    /** In quotation marks, for a message: of a long text its beginning. */
    public static String quoted(String text) {
        boolean isShort = text.codePointCount(0, text.length()) <= QUOTED;
        return '"' + (isShort ? text : text.substring(0, text.offsetByCodePoints(0, QUOTED)) + "…") + '"';
    }

    /** Length in UTF-8, which is what the column checks count. */
    public static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
