package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.select;

import java.util.List;
import java.util.Map;
import org.jooq.Field;
import org.jooq.RowCountQuery;
import org.jooq.Table;

/**
 * Copies rows that {@link BatchLock} has locked. A statement of its own, that looks at the condition again: copying does not
 * change the row that is copied, so another daemon may have copied it and committed after this one's choice began, and only a
 * later snapshot shows that.
 */
public final class BatchInsert {
    private BatchInsert() {}

    /**
     * @param values for each column of the target, an expression over a row of the set
     * @param keys of the rows that are locked
     */
    public static RowCountQuery query(WorkSet set, Table<?> target, Map<Field<?>, Field<?>> values, List<RowKey> keys) {
        return insertInto(target)
                .columns(values.keySet())
                .select(select(values.values())
                        .from(set.table(), set.batchOf(keys))
                        .where(set.inBatch())
                        .and(set.whileTrue())
                        .orderBy(set.key()));
    }
}
