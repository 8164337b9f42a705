package dev.tributary.internal;

import org.jspecify.annotations.Nullable;

/** Why a job failed or was refused, or a row could not be written, as it is kept with the job or the row. */
public final class ErrorText {
    /** In bytes; a longer one is cut. */
    static final int LONGEST = 8_192;

    private ErrorText() {}

    /** The text with what cannot be stored replaced by U+FFFD, cut at {@link #LONGEST} bytes; null becomes empty. */
    public static String storable(@Nullable String text) {
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
            if (bytes > LONGEST) {
                break;
            }
            storable.appendCodePoint(clean);
        }
        return storable.toString();
    }
}
