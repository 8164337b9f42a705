package dev.tributary.internal;

import java.util.Set;
import org.jooq.exception.DataAccessException;

/**
 * Whether what failed may work another time
 * (<a href="https://www.postgresql.org/docs/18/errcodes-appendix.html">PostgreSQL Error Codes</a>).
 */
public enum Chance {
    /** Nobody gets an answer just now: no connection, too many of them, the server starts, stops, or only reads. */
    OUTAGE,
    /** This one did not get through: a lock, a time limit, resources, a conflict with others. */
    LATER,
    /** The same would come of it. */
    NEVER;

    private static final Set<String> TIMEOUTS = Set.of("55P03", "57014");
    /** Data exception, integrity constraint violation, and what RAISE gives. */
    private static final Set<String> CLASSES_OF_DATA = Set.of("22", "23", "P0");

    private static final Set<String> OUTAGES = Set.of("57P01", "57P02", "57P03", "53300", "25006");
    private static final Set<String> CLASSES_OF_LATER = Set.of("25", "40", "53", "55", "57", "58");

    /** Whether a lock or a statement took longer than lock_timeout or statement_timeout allows. */
    public static boolean isTimeout(DataAccessException error) {
        return TIMEOUTS.contains(error.sqlState());
    }

    /** Whether it was for what was written: with other rows the same statement may go well. */
    public static boolean isOfTheData(DataAccessException error) {
        return CLASSES_OF_DATA.stream().anyMatch(error.sqlState()::startsWith);
    }

    public static Chance after(Throwable failure) {
        if (!(failure instanceof DataAccessException error)) {
            return NEVER;
        }
        String state = error.sqlState();
        // jOOQ says 00000 if there was no SQLSTATE, as from a pool that has no connection.
        if (state.equals("00000") || state.startsWith("08") || OUTAGES.contains(state)) {
            return OUTAGE;
        }
        return CLASSES_OF_LATER.stream().anyMatch(state::startsWith) ? LATER : NEVER;
    }
}
