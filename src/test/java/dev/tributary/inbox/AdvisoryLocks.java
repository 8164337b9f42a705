package dev.tributary.inbox;

import dev.tributary.support.Database;
import java.util.List;

/** The advisory locks of a database, as {@code pg_locks} shows them. */
final class AdvisoryLocks {
    private AdvisoryLocks() {}

    /** What a backend holds, ascending. */
    static List<Long> heldBy(Database database, int pid) {
        return database.sql(db -> db.fetch("""
                        SELECT (classid::bigint << 32) | objid::bigint FROM pg_locks
                         WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND pid = ? ORDER BY 1""", pid).getValues(0, Long.class));
    }

    /** How many anybody of the database holds or waits for. */
    static int inAll(Database database) {
        return database.sql(db -> db.fetchSingle("""
                        SELECT count(*)::int FROM pg_locks
                         WHERE locktype = 'advisory'
                           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())""").get(0, Integer.class));
    }
}
