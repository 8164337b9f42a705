package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import org.jooq.Record;
import org.jooq.Select;
import org.jooq.SelectLimitPercentStep;

/** The first rows that are still to do, for a report of why none of them is done. */
public final class StuckKeys {
    private StuckKeys() {}

    /** Takes no lock. */
    public static Select<Record> query(WorkSet set, int limit) {
        return first(set, limit);
    }

    /** Raises 55P03 if another transaction has locked one of them. */
    public static Select<Record> locked(WorkSet set, int limit) {
        return first(set, limit).forUpdate().noWait();
    }

    private static SelectLimitPercentStep<Record> first(WorkSet set, int limit) {
        return select(set.named())
                .from(set.table())
                .where(set.whileTrue())
                .orderBy(set.key())
                .limit(param("limit", limit));
    }
}
