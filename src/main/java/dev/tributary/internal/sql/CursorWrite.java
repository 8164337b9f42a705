package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectCount;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.with;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jooq.CommonTableExpression;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.jooq.Table;
import org.jooq.impl.DSL;

/**
 * Reads the next rows of a keyset and writes them, in one statement. A row that another transaction has locked is waited for, since
 * the position never comes back to it; one that it has deleted is passed.
 */
public final class CursorWrite {
    /** How many rows were read, how many of them have a whole id, and how many were written. */
    public static final String READ = "tributary_read";

    public static final String NAMED = "tributary_named";
    public static final String WRITTEN = "tributary_written";

    private CursorWrite() {}

    /** @return {@link #READ}, {@link #NAMED}, {@link #WRITTEN} and the place of the last row; nothing if there were none */
    public static ResultQuery<Record> update(KeysetPage page, Map<Field<?>, Field<?>> values) {
        WorkSet rows = page.keyset().rows();
        return of(
                page,
                DSL.update(rows.table())
                        .set(values)
                        .from(name(WorkSet.batchName()))
                        .where(rows.inBatch())
                        .and(rows.whileTrue())
                        .returning(rows.key().get(0)));
    }

    /** @return as {@link #update} */
    public static ResultQuery<Record> delete(KeysetPage page) {
        WorkSet rows = page.keyset().rows();
        return of(
                page,
                deleteFrom(rows.table())
                        .using(table(name(WorkSet.batchName())))
                        .where(rows.inBatch())
                        .and(rows.whileTrue())
                        .returning(rows.key().get(0)));
    }

    /** @return as {@link #update} */
    public static ResultQuery<Record> copy(KeysetPage page, Table<?> target, Map<Field<?>, Field<?>> values) {
        WorkSet rows = page.keyset().rows();
        List<Field<?>> columns = List.copyOf(values.keySet());
        return of(
                page,
                insertInto(target)
                        .columns(columns)
                        .select(select(values.values())
                                .from(rows.table(), table(name(WorkSet.batchName())))
                                .where(rows.inBatch())
                                .and(rows.whileTrue())
                                .orderBy(page.order()))
                        .returning(columns.get(0)));
    }

    private static ResultQuery<Record> of(KeysetPage page, ResultQuery<?> write) {
        CommonTableExpression<?> batch = name(WorkSet.batchName()).as(page.rows());
        CommonTableExpression<?> written = name(WRITTEN).as(write);
        List<Field<?>> answer = new ArrayList<>();
        answer.add(field(selectCount().from(batch)).as(READ));
        answer.add(field(
                        select(count(page.order().get(page.order().size() - 1))).from(batch))
                .as(NAMED));
        answer.add(field(selectCount().from(table(name(WRITTEN)))).as(WRITTEN));
        answer.addAll(page.place());
        return with(batch)
                .with(written)
                .select(answer)
                .from(batch)
                .orderBy(page.order().stream().map(Field::desc).toList())
                .limit(inline(1));
    }
}
