package dev.tributary;

/**
 * {@link JobQueue#within} was given a connection in auto-commit mode, in which every statement would commit alone, or a
 * context that takes another connection for each statement.
 * Thrown at the first use, before any SQL.
 */
public final class NoTransaction extends TributaryException {
    private static final long serialVersionUID = 1L;

    public NoTransaction(String message) {
        super(message);
    }
}
