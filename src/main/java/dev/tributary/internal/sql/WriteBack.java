package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.update;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jooq.Field;
import org.jooq.Query;

/** Writes one row of a batch, to be bound once for each of them: the values, then those of the key. */
public final class WriteBack {
    private WriteBack() {}

    /**
     * @param columns that are written
     * @param values of the first row, in the order of the columns
     */
    public static Query query(WorkSet set, List<Field<?>> columns, List<?> values, RowKey key) {
        Map<Field<?>, Field<?>> written = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            written.put(columns.get(i), WorkSet.value("value_" + (i + 1), columns.get(i), values.get(i)));
        }
        return update(set.table()).set(written).where(set.is(key));
    }

    /** What is bound for a row. */
    public static Object[] binds(List<?> values, RowKey key) {
        List<Object> binds = new ArrayList<>(values);
        binds.addAll(key.values());
        return binds.toArray();
    }
}
