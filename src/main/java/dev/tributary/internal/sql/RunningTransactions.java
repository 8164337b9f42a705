package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.currentCatalog;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;

import org.jooq.Field;
import org.jooq.Name;
import org.jooq.Record1;
import org.jooq.Select;
import org.jooq.impl.SQLDataType;

/**
 * The transactions that run in the database. Each holds the lock of its virtual id from its begin to after its commit can be seen,
 * also before it has written anything, and every role may see that
 * (<a href="https://www.postgresql.org/docs/18/view-pg-locks.html">pg_locks</a>).
 */
public final class RunningTransactions {
    private RunningTransactions() {}

    /** Of the sessions of clients, but this one; not of autovacuum, which has no user. */
    public static Select<Record1<String>> ofSessions() {
        Name locks = name("pg_locks");
        Name sessions = name("pg_stat_activity");
        Field<Integer> pid = field(locks.append("pid"), SQLDataType.INTEGER);
        return select(field(locks.append("virtualtransaction"), SQLDataType.VARCHAR))
                .from(table(name("pg_catalog").append(locks)))
                .join(table(name("pg_catalog").append(sessions)))
                .on(field(sessions.append("pid"), SQLDataType.INTEGER).eq(pid))
                .where(field(locks.append("locktype"), SQLDataType.VARCHAR).eq(inline("virtualxid")))
                .and(field(locks.append("mode"), SQLDataType.VARCHAR).eq(inline("ExclusiveLock")))
                .and(field(sessions.append("datname"), SQLDataType.VARCHAR).eq(currentCatalog()))
                .and(field(sessions.append("usesysid"), SQLDataType.BIGINT).isNotNull())
                .and(pid.ne(function(name("pg_backend_pid"), SQLDataType.INTEGER)));
    }

    /** Prepared for a commit in two phases: these have no session, and no virtual id any more. */
    public static Select<Record1<String>> prepared() {
        Name prepared = name("pg_prepared_xacts");
        return select(field(prepared.append("transaction"), SQLDataType.BIGINT).cast(SQLDataType.VARCHAR))
                .from(table(name("pg_catalog").append(prepared)))
                .where(field(prepared.append("database"), SQLDataType.VARCHAR).eq(currentCatalog()));
    }
}
