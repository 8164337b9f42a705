package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.selectCount;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.with;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jooq.CommonTableExpression;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.jooq.impl.DSL;

/**
 * Chooses a batch and writes it, in one statement. What is written is what was chosen: between the two there is nothing but
 * the equality of keys.
 */
public final class BatchWrite {
    /** How many rows were written; not how many left the set. */
    public static final String WRITTEN = "tributary_written";

    private BatchWrite() {}

    /** @return the keys of the batch, in order; after them {@link #WRITTEN} */
    public static ResultQuery<Record> update(
            WorkSet set, Map<Field<?>, Field<?>> values, Optional<RowKey> after, int limit) {
        CommonTableExpression<?> batch = batch(set, after, limit);
        return of(
                set,
                batch,
                DSL.update(set.table())
                        .set(values)
                        .from(batch)
                        .where(set.inBatch())
                        .returning(set.key().get(0)));
    }

    /** @return as {@link #update} */
    public static ResultQuery<Record> delete(WorkSet set, Optional<RowKey> after, int limit) {
        CommonTableExpression<?> batch = batch(set, after, limit);
        return of(
                set,
                batch,
                deleteFrom(set.table())
                        .using(batch)
                        .where(set.inBatch())
                        .returning(set.key().get(0)));
    }

    /** A CTE with FOR UPDATE is computed once; as IN (SELECT … LIMIT) it may be computed for each row of the outer scan. */
    private static CommonTableExpression<?> batch(WorkSet set, Optional<RowKey> after, int limit) {
        return name(WorkSet.batchName()).as(set.batch(after, limit));
    }

    /** The answer is read from the batch and not from what was written, which a trigger may have suppressed. */
    private static ResultQuery<Record> of(WorkSet set, CommonTableExpression<?> batch, ResultQuery<?> write) {
        CommonTableExpression<?> written = name(WRITTEN).as(write);
        List<Field<?>> answer = new ArrayList<>(set.batchKey());
        answer.add(field(selectCount().from(table(name(WRITTEN)))).as(WRITTEN));
        return with(batch).with(written).select(answer).from(batch).orderBy(set.batchKey());
    }
}
