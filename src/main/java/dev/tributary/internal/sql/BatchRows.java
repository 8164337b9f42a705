package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.select;

import java.util.List;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.jooq.SelectFieldOrAsterisk;
import org.jooq.SelectForUpdateStep;
import org.jooq.Table;

/**
 * The whole rows that {@link BatchLock} has locked. A statement of its own, that looks at the condition again: a row that another
 * daemon has done since the choice began is left out.
 */
public final class BatchRows {
    private BatchRows() {}

    /** @return in the order of their keys */
    public static ResultQuery<Record> query(WorkSet set, List<RowKey> keys) {
        return rows(set, keys, set.key());
    }

    /** Locks them, too: what a {@link KeysetPage} has read is not locked yet. @return in the order of the keyset */
    public static ResultQuery<Record> locked(KeysetOrder keyset, List<RowKey> keys) {
        return rows(keyset.rows(), keys, keyset.order()).forUpdate().of(keyset.table());
    }

    private static SelectForUpdateStep<Record> rows(WorkSet set, List<RowKey> keys, List<? extends Field<?>> order) {
        return select(columns(set.table()))
                .from(set.table(), set.batchOf(keys))
                .where(set.inBatch())
                .and(set.whileTrue())
                .orderBy(order);
    }

    /** By name where they are known: types of a host's own are then his. */
    private static List<? extends SelectFieldOrAsterisk> columns(Table<?> table) {
        return table.fields().length == 0 ? List.of(table.asterisk()) : List.of(table.fields());
    }
}
