package dev.tributary.inbox;

import dev.tributary.TributaryException;
import java.util.List;
import org.jooq.exception.DataAccessException;

/**
 * A batch was rolled back: its action threw, or the database did. What that was is the cause, for the database jOOQ's
 * {@link DataAccessException} with its SQLSTATE. Batches before it are committed, batches after it were not begun; all of them
 * can be delivered again.
 */
public final class IngestFailed extends TributaryException {
    private static final long serialVersionUID = 1L;
    private static final String OUT_OF_MEMORY = "53200";

    private final transient List<String> rolledBack;
    private final transient Ingested committed;

    private IngestFailed(String message, Throwable cause, List<String> rolledBack, Ingested committed) {
        super(message, cause);
        this.rolledBack = rolledBack;
        this.committed = committed;
    }

    static IngestFailed of(EventBatch batch, int number, int batches, Ingested committed, Throwable cause) {
        List<String> keys = batch.firsts().stream().map(Delivery::key).toList();
        String message =
                "batch " + number + " of " + batches + " was rolled back, " + keys.size() + " business keys from \""
                        + keys.get(0) + "\" to \"" + keys.get(keys.size() - 1) + "\": " + reason(cause)
                        + (number == 1 ? "" : "; the batches before it are committed, see committed()");
        return new IngestFailed(message, cause, keys, committed);
    }

    private static String reason(Throwable cause) {
        if (!(cause instanceof DataAccessException error)) {
            return cause.toString();
        }
        // jOOQ's own message begins with the whole statement.
        String reason = String.valueOf((error.getCause() == null ? error : error.getCause()).getMessage());
        return OUT_OF_MEMORY.equals(error.sqlState())
                ? "the server's lock table is full, with the locks of all sessions (" + reason
                        + "); lower lockBudget(n) or stripes(n), use ORDERED_UPSERT, or raise max_locks_per_transaction"
                : reason;
    }

    /** The business keys of the batch that was rolled back, each once, in the order of the call. */
    public List<String> rolledBack() {
        return rolledBack;
    }

    /** What became of the events of the batches before it. */
    public Ingested committed() {
        return committed;
    }
}
