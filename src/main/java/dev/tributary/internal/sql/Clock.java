package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;

import java.time.Duration;
import java.time.Instant;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;
import org.jooq.types.YearToSecond;

/**
 * The clock of the database. {@code statement_timestamp()} and not {@code now()}: a lease or a delay counts from the
 * statement, however long the caller's transaction has been open
 * (<a href="https://www.postgresql.org/docs/18/functions-datetime.html#FUNCTIONS-DATETIME-CURRENT">Current Date/Time</a>).
 */
final class Clock {
    private Clock() {}

    static Field<Instant> now() {
        return function(name("statement_timestamp"), SQLDataType.INSTANT);
    }

    static Field<Instant> in(String parameter, Duration duration) {
        return now().plus(seconds(parameter, duration));
    }

    static Field<Instant> ago(String parameter, Duration duration) {
        return now().minus(seconds(parameter, duration));
    }

    /** So many seconds: an interval with days in it would follow the session's calendar when clocks change. */
    private static Field<? extends Number> seconds(String parameter, Duration duration) {
        Field<YearToSecond> second = inline("1 second").cast(SQLDataType.INTERVAL);
        return second.mul(param(parameter, duration.toNanos() / 1e9));
    }

    /** Milliseconds from then until now. */
    static Field<Long> millisecondsSince(Field<Instant> then) {
        return epoch(now()).minus(epoch(then)).mul(inline(1000)).cast(SQLDataType.BIGINT);
    }

    private static Field<Double> epoch(Field<Instant> instant) {
        return function(name("date_part"), SQLDataType.DOUBLE, inline("epoch"), instant);
    }
}
