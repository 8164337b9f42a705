package dev.tributary.batch;

import dev.tributary.internal.sql.BatchInsert;
import dev.tributary.internal.sql.BatchLock;
import dev.tributary.internal.sql.BatchWrite;
import dev.tributary.internal.sql.RowKey;
import dev.tributary.internal.sql.WorkSet;
import java.util.List;
import java.util.Map;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.Table;

/** The writes that the database does by itself. */
final class Writes {
    private Writes() {}

    static Write update(Map<Field<?>, Field<?>> values) {
        return (tx, set, after, limit) -> inOne(set, tx.fetch(BatchWrite.update(set, values, after, limit)));
    }

    static Write delete() {
        return (tx, set, after, limit) -> inOne(set, tx.fetch(BatchWrite.delete(set, after, limit)));
    }

    static Write copy(Table<?> target, Map<Field<?>, Field<?>> values) {
        return (tx, set, after, limit) -> {
            List<RowKey> keys = keys(set, tx.fetch(BatchLock.keys(set, after, limit)));
            if (!keys.isEmpty()) {
                requireOneRowEach(set, keys.size(), tx.execute(BatchInsert.query(set, target, values, keys)));
            }
            return keys;
        };
    }

    private static List<RowKey> inOne(WorkSet set, Result<Record> answer) {
        List<RowKey> keys = keys(set, answer);
        if (!keys.isEmpty()) {
            requireOneRowEach(set, keys.size(), answer.get(0).get(BatchWrite.WRITTEN, Long.class));
        }
        return keys;
    }

    static List<RowKey> keys(WorkSet set, Result<Record> answer) {
        return answer.map(row -> requireWhole(set, set.keyOf(row)));
    }

    /** @throws NotAKey if a part of it is null: nothing would find the row again */
    private static RowKey requireWhole(WorkSet set, RowKey key) {
        if (key.values().stream().anyMatch(value -> value == null)) {
            throw new NotAKey(
                    "a row of " + set.table().getName() + " has null in its key: " + key + ", columns " + set.key());
        }
        return key;
    }

    static void requireOneRowEach(WorkSet set, int rows, long written) {
        if (written > rows) {
            throw new NotAKey("a batch of " + rows + " rows would have written " + written + " rows of "
                    + set.table().getName() + ": " + set.key() + " is not unique");
        }
    }
}
