package dev.tributary.internal;

import dev.tributary.InvalidArgument;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Refuses arguments by name, before any SQL. */
public final class Arguments {
    /** Far below what timestamptz can hold, far above any schedule. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private Arguments() {}

    public static <T> T notNull(String what, @Nullable T value) {
        if (value == null) {
            throw new InvalidArgument(what + " is null");
        }
        return value;
    }

    public static void delay(String what, @Nullable Duration delay) {
        if (notNull(what, delay).isNegative() || delay.compareTo(LONGEST) > 0) {
            throw new InvalidArgument(
                    what + " is " + delay + ": it must be from zero to " + LONGEST.toDays() + " days");
        }
    }

    public static void positive(String what, @Nullable Duration duration) {
        delay(what, duration);
        if (duration.isZero()) {
            throw new InvalidArgument(what + " is zero: it must be positive");
        }
    }

    public static void atLeastOne(String what, int value) {
        if (value < 1) {
            throw new InvalidArgument(what + " is " + value + ": it must be at least 1");
        }
    }
}
