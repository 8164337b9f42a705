package dev.tributary.batch;

import dev.tributary.internal.Chance;
import dev.tributary.internal.ErrorText;
import java.sql.SQLException;
import org.jooq.exception.DataAccessException;

/** What a batch failed of, where a smaller one may not. */
final class Refusal {
    /** More are no rows that stand out: the write itself is wrong. */
    static final int MOST_ROWS = 100;

    private Refusal() {}

    /** Whether it is the fault of one row: others can be written. */
    static boolean isOfARow(RuntimeException failure) {
        return failure instanceof RowFailed
                || failure instanceof DataAccessException error && Chance.isOfTheData(error);
    }

    /** Whether fewer rows at a time may go well. */
    static boolean isOfTheSize(RuntimeException failure) {
        return failure instanceof DataAccessException error && Chance.isTimeout(error);
    }

    /** As it is kept with the row: what the server said, without the statement, or what the computation said. */
    static String text(RuntimeException failure) {
        String text = failure instanceof DataAccessException error && error.getCause() instanceof SQLException cause
                ? cause.getSQLState() + " " + cause.getMessage()
                : failure.getMessage();
        return ErrorText.storable(text);
    }
}
