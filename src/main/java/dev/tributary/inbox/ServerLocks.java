package dev.tributary.inbox;

import dev.tributary.InvalidArgument;
import dev.tributary.internal.Steps;
import dev.tributary.internal.sql.LockTable;
import java.util.Optional;
import org.jooq.Record3;

/** The lock table of the server, whose size is asked for once: it changes with a restart only. */
final class ServerLocks {
    private volatile Optional<Record3<Long, Long, Long>> settings = Optional.empty();

    /** Refuses a budget that takes more than half of the table: it is everybody's. */
    void check(Terms terms, Steps steps) {
        if (!terms.takesLocks()) {
            return;
        }
        if (settings.isEmpty()) {
            settings = Optional.of(steps.run(tx -> tx.fetchSingle(LockTable.query())));
        }
        Record3<Long, Long, Long> server = settings.get();
        long room = server.value1() * (server.value2() + server.value3());
        if (terms.mostLocks() > room / 2) {
            throw new InvalidArgument("a batch may take " + terms.mostLocks()
                    + " advisory locks, which is more than half of"
                    + " the server's lock table: " + room + " for all sessions (max_locks_per_transaction "
                    + server.value1() + " × (max_connections " + server.value2() + " + max_prepared_transactions "
                    + server.value3() + ")). Lower lockBudget(n), fold the keys (stripes(n)), or use ORDERED_UPSERT");
        }
    }
}
