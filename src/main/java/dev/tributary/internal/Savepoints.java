package dev.tributary.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import org.jooq.Transaction;
import org.jooq.TransactionContext;
import org.jooq.TransactionProvider;

/**
 * Makes every {@code transaction(…)} of a context a nested one, as there is a transaction around it that jOOQ does not know of.
 */
final class Savepoints implements TransactionProvider {
    private record Nested(Savepoint savepoint) implements Transaction {}

    private interface Step {
        void on(Connection connection) throws SQLException;
    }

    @Override
    public void begin(TransactionContext nested) {
        with(nested, connection -> nested.transaction(new Nested(connection.setSavepoint())));
    }

    @Override
    public void commit(TransactionContext nested) {
        with(nested, connection -> connection.releaseSavepoint(savepoint(nested)));
    }

    @Override
    public void rollback(TransactionContext nested) {
        with(nested, connection -> connection.rollback(savepoint(nested)));
    }

    private static Savepoint savepoint(TransactionContext nested) {
        return ((Nested) nested.transaction()).savepoint();
    }

    private static void with(TransactionContext nested, Step step) {
        nested.dsl().connection(step::on);
    }
}
