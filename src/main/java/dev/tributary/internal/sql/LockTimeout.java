package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import java.time.Duration;
import org.jooq.Record1;
import org.jooq.Select;

/** How long a statement waits for a lock, until the transaction ends. */
public final class LockTimeout {
    private LockTimeout() {}

    public static Select<Record1<String>> query(Duration longest) {
        return select(Setting.untilTheEnd(
                "lock_timeout",
                // Zero would be no limit.
                param("lock_timeout", Math.max(1, Math.min(longest.toMillis(), Integer.MAX_VALUE)) + "ms")));
    }
}
