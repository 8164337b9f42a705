package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.select;

import org.jooq.Record1;
import org.jooq.Select;
import org.jooq.impl.SQLDataType;

/** How many rows are to do. It reads all of them: a sequential scan, unless an index fits the condition. */
public final class Waiting {
    private Waiting() {}

    public static Select<Record1<Long>> query(WorkSet set) {
        return select(count().cast(SQLDataType.BIGINT)).from(set.table()).where(set.whileTrue());
    }
}
