package dev.tributary.batch;

import dev.tributary.internal.sql.BatchInsert;
import dev.tributary.internal.sql.BatchLock;
import dev.tributary.internal.sql.BatchWrite;
import dev.tributary.internal.sql.CursorWrite;
import dev.tributary.internal.sql.KeysetPage;
import dev.tributary.internal.sql.RowKey;
import dev.tributary.internal.sql.WorkSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.Table;

/** The writes that the database does by itself. */
final class Writes {
    private Writes() {}

    record Update(Map<Field<?>, Field<?>> values) implements Write {
        @Override
        public List<RowKey> batch(DSLContext tx, WorkSet set, Optional<RowKey> after, int limit) {
            return inOne(set, tx.fetch(BatchWrite.update(set, values, after, limit)));
        }

        @Override
        public Passed page(DSLContext tx, KeysetPage page) {
            return passed(page, tx.fetch(CursorWrite.update(page, values)));
        }
    }

    record Delete() implements Write {
        @Override
        public List<RowKey> batch(DSLContext tx, WorkSet set, Optional<RowKey> after, int limit) {
            return inOne(set, tx.fetch(BatchWrite.delete(set, after, limit)));
        }

        @Override
        public Passed page(DSLContext tx, KeysetPage page) {
            return passed(page, tx.fetch(CursorWrite.delete(page)));
        }
    }

    record Copy(Table<?> target, Map<Field<?>, Field<?>> values) implements Write {
        @Override
        public List<RowKey> batch(DSLContext tx, WorkSet set, Optional<RowKey> after, int limit) {
            List<RowKey> keys = keys(set, tx.fetch(BatchLock.keys(set, after, limit)));
            if (!keys.isEmpty()) {
                requireOneRowEach(set, keys.size(), tx.execute(BatchInsert.query(set, target, values, keys)));
            }
            return keys;
        }

        @Override
        public Passed page(DSLContext tx, KeysetPage page) {
            return passed(page, tx.fetch(CursorWrite.copy(page, target, values)));
        }
    }

    private static List<RowKey> inOne(WorkSet set, Result<Record> answer) {
        List<RowKey> keys = keys(set, answer);
        if (!keys.isEmpty()) {
            requireOneRowEach(set, keys.size(), answer.get(0).get(BatchWrite.WRITTEN, Long.class));
        }
        return keys;
    }

    private static Passed passed(KeysetPage page, Result<Record> answer) {
        if (answer.isEmpty()) {
            return Passed.NONE;
        }
        Record last = answer.get(0);
        long rows = last.get(CursorWrite.READ, Long.class);
        WorkSet set = page.keyset().rows();
        if (last.get(CursorWrite.NAMED, Long.class) < rows) {
            throw new NotAKey("a row of " + set.table().getName() + " has null in its key, columns " + set.key());
        }
        requireOneRowEach(set, rows, last.get(CursorWrite.WRITTEN, Long.class));
        return new Passed(rows, Optional.of(page.placeOf(last)));
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

    static void requireOneRowEach(WorkSet set, long rows, long written) {
        if (written > rows) {
            throw new NotAKey("a batch of " + rows + " rows would have written " + written + " rows of "
                    + set.table().getName() + ": " + set.key() + " is not unique");
        }
    }
}
