package dev.tributary;

import static dev.tributary.db.Tables.EVENTS;
import static dev.tributary.db.Tables.JOBS;
import static org.jooq.impl.DSL.inline;

import dev.tributary.internal.sql.BatchInsert;
import dev.tributary.internal.sql.BatchLock;
import dev.tributary.internal.sql.BatchRows;
import dev.tributary.internal.sql.BatchWrite;
import dev.tributary.internal.sql.Expired;
import dev.tributary.internal.sql.RowKey;
import dev.tributary.internal.sql.StillInSet;
import dev.tributary.internal.sql.StuckKeys;
import dev.tributary.internal.sql.Waiting;
import dev.tributary.internal.sql.WorkSet;
import dev.tributary.internal.sql.WriteBack;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jooq.Field;

/** The statements of batch daemons, which are made for a table: here for the jobs. */
final class BatchStatements {
    private static final WorkSet WORK = new WorkSet(JOBS, List.of(JOBS.ID), JOBS.PRIORITY.lt(inline(5)));

    private static final WorkSet COMPOSITE =
            new WorkSet(JOBS, List.of(JOBS.CREATED_AT, JOBS.ID), JOBS.LAST_ERROR.isNotNull());
    private static final WorkSet ENDED = Expired.jobs(JobStatus.COMPLETED, Duration.ofDays(30));
    private static final WorkSet OLD = Expired.events(Duration.ofDays(90));
    private static final RowKey LAST_EVENT = new RowKey(List.of(Instant.EPOCH, "evt-1"));
    private static final RowKey LAST = new RowKey(List.of(41L));
    private static final RowKey LAST_OF_TWO = new RowKey(List.of(Instant.EPOCH, 41L));
    private static final Map<Field<?>, Field<?>> PRIORITY = Map.of(JOBS.PRIORITY, inline(5));
    private static final Map<Field<?>, Field<?>> EVENT =
            fields(EVENTS.BUSINESS_KEY, JOBS.MERGE_KEY, EVENTS.PAYLOAD, JOBS.CONFIG);

    private BatchStatements() {}

    private static Map<Field<?>, Field<?>> fields(Field<?>... columnsAndValues) {
        Map<Field<?>, Field<?>> fields = new LinkedHashMap<>();
        for (int i = 0; i < columnsAndValues.length; i += 2) {
            fields.put(columnsAndValues[i], columnsAndValues[i + 1]);
        }
        return fields;
    }

    static Stream<RenderedSqlTest.Statement> all() {
        return Stream.of(
                new RenderedSqlTest.Statement(
                        "batch-update", BatchWrite.update(WORK, PRIORITY, Optional.of(LAST), 100)),
                new RenderedSqlTest.Statement(
                        "batch-update-first", BatchWrite.update(WORK, PRIORITY, Optional.empty(), 100)),
                new RenderedSqlTest.Statement("batch-delete", BatchWrite.delete(WORK, Optional.of(LAST), 100)),
                new RenderedSqlTest.Statement("batch-lock", BatchLock.keys(COMPOSITE, Optional.of(LAST_OF_TWO), 100)),
                new RenderedSqlTest.Statement(
                        "batch-insert", BatchInsert.query(COMPOSITE, EVENTS, EVENT, List.of(LAST_OF_TWO))),
                new RenderedSqlTest.Statement("batch-rows", BatchRows.query(WORK, List.of(LAST))),
                new RenderedSqlTest.Statement(
                        "write-back", WriteBack.query(WORK, List.of(JOBS.PRIORITY), List.of(5), LAST)),
                new RenderedSqlTest.Statement("still-in-set", StillInSet.query(COMPOSITE, List.of(LAST_OF_TWO))),
                new RenderedSqlTest.Statement(
                        "delete-ended-jobs", BatchWrite.delete(ENDED, Optional.of(LAST_OF_TWO), 100)),
                new RenderedSqlTest.Statement(
                        "delete-old-events", BatchWrite.delete(OLD, Optional.of(LAST_EVENT), 100)),
                new RenderedSqlTest.Statement("waiting", Waiting.query(WORK)),
                new RenderedSqlTest.Statement("stuck-keys", StuckKeys.query(WORK, 5)),
                new RenderedSqlTest.Statement("stuck-keys-locked", StuckKeys.locked(WORK, 5)));
    }
}
