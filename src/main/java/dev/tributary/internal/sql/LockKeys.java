package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.abs;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.selectDistinct;
import static org.jooq.impl.DSL.unnest;
import static org.jooq.impl.DSL.with;

import java.util.OptionalInt;
import org.jooq.CommonTableExpression;
import org.jooq.Field;
import org.jooq.Record1;
import org.jooq.ResultQuery;
import org.jooq.impl.SQLDataType;

/**
 * Takes the advisory locks of business keys, each lock once and in ascending order, and waits for those that others hold. Any
 * two transactions that take theirs in this way, once each, wait for each other without a circle. The locks end with the
 * transaction
 * (<a href="https://www.postgresql.org/docs/18/explicit-locking.html#ADVISORY-LOCKS">Advisory Locks</a>).
 */
public final class LockKeys {
    private static final Field<String> KEY = field(name("given", "business_key"), SQLDataType.VARCHAR);
    private static final Field<Long> LOCK = field(name("lock"), SQLDataType.BIGINT);

    private LockKeys() {}

    /**
     * @param namespace keeps the locks apart from those of others in the database
     * @param stripes on how many locks the keys are folded; empty: each key has its own, but for collisions of the hash
     * @return one row: how many locks
     */
    public static ResultQuery<Record1<Integer>> query(String namespace, String[] keys, OptionalInt stripes) {
        Field<Long> seed = hash(param("namespace", namespace), inline(0L));
        Field<Long> own = hash(KEY, seed);
        Field<Long> lock = stripes.isPresent() ? hash(stripe(own, stripes.getAsInt()), seed) : own;
        // Materialized, so that the order is there before the first lock is taken, whatever the planner thinks of it.
        CommonTableExpression<?> ordered = name("ordered")
                .asMaterialized(selectDistinct(lock.as(LOCK))
                        .from(unnest(param("keys", keys)).as("given", "business_key"))
                        .orderBy(LOCK));
        return with(ordered)
                .select(count(function(name("pg_advisory_xact_lock"), SQLDataType.OTHER, LOCK)))
                .from(ordered);
    }

    /** 64 bits of any sign: the function is there for hash partitions, whose rows depend on its staying the same. */
    private static Field<Long> hash(Field<String> text, Field<Long> seed) {
        return function(name("hashtextextended"), SQLDataType.BIGINT, text, seed);
    }

    private static Field<String> stripe(Field<Long> hash, int stripes) {
        return abs(hash.mod(param("stripes", (long) stripes))).cast(SQLDataType.VARCHAR);
    }
}
