package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;

import org.jooq.Record1;
import org.jooq.Select;
import org.jooq.impl.SQLDataType;

/** Whether the transaction that is open has written anything: only then it has an id. */
public final class WrittenBy {
    private WrittenBy() {}

    /** @return one row */
    public static Select<Record1<Boolean>> thisTransaction() {
        return select(field(function(name("pg_current_xact_id_if_assigned"), SQLDataType.OTHER)
                .isNotNull()));
    }
}
