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

    /** As {@link #notNull}, for a plural. */
    public static <T> T areNotNull(String what, @Nullable T values) {
        if (values == null) {
            throw new InvalidArgument(what + " are null");
        }
        return values;
    }

    public static void delay(String what, @Nullable Duration delay) {
        inRange(what, delay, "from zero to ");
    }

    public static void positive(String what, @Nullable Duration duration) {
        inRange(what, duration, "positive and at most ");
        if (duration.isZero()) {
            throw new InvalidArgument(what + " is zero: it must be positive");
        }
    }

    private static void inRange(String what, @Nullable Duration duration, String range) {
        if (notNull(what, duration).isNegative() || duration.compareTo(LONGEST) > 0) {
            throw new InvalidArgument(what + " is " + duration + ": it must be " + range + LONGEST.toDays() + " days");
        }
    }

    public static void atLeastOne(String what, int value) {
        if (value < 1) {
            throw new InvalidArgument(what + " is " + value + ": it must be at least 1");
        }
    }

    /** The name of a schema, if it can be used. */
    public static String schema(@Nullable String schema) {
        notNull("the schema", schema);
        if (schema.isBlank() || Text.bytes(schema) > 63) {
            throw new InvalidArgument(
                    "the name of a schema has 1 to 63 bytes and is not blank, this one: " + Text.quoted(schema));
        }
        if (schema.equals("$user")) {
            throw new InvalidArgument("\"$user\" in a search path is never a schema of that name: take another name");
        }
        if (schema.startsWith("pg_")) {
            throw new InvalidArgument(
                    "\"" + schema + "\": PostgreSQL keeps schema names that begin with pg_ for itself");
        }
        Text.flaw(schema).ifPresent(flaw -> {
            throw new InvalidArgument("the name of the schema holds " + flaw);
        });
        return schema;
    }
}
