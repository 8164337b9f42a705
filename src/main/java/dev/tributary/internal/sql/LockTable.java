package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.select;

import org.jooq.Field;
import org.jooq.Record3;
import org.jooq.Select;
import org.jooq.impl.SQLDataType;

/**
 * What the size of the server's lock table follows from: the first times the sum of the others, shared by all sessions
 * (<a href="https://www.postgresql.org/docs/18/runtime-config-locks.html">Lock Management</a>).
 */
public final class LockTable {
    private LockTable() {}

    /** @return one row: max_locks_per_transaction, max_connections, max_prepared_transactions */
    public static Select<Record3<Long, Long, Long>> query() {
        return select(
                number("max_locks_per_transaction"), number("max_connections"), number("max_prepared_transactions"));
    }

    private static Field<Long> number(String setting) {
        return Setting.named(setting).cast(SQLDataType.BIGINT);
    }
}
