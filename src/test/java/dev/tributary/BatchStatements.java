package dev.tributary;

import static dev.tributary.db.Tables.EVENTS;
import static dev.tributary.db.Tables.JOBS;
import static org.jooq.impl.DSL.inline;

import dev.tributary.internal.sql.BatchInsert;
import dev.tributary.internal.sql.BatchLock;
import dev.tributary.internal.sql.BatchRows;
import dev.tributary.internal.sql.BatchWrite;
import dev.tributary.internal.sql.CursorRow;
import dev.tributary.internal.sql.CursorWrite;
import dev.tributary.internal.sql.Expired;
import dev.tributary.internal.sql.KeysetOrder;
import dev.tributary.internal.sql.KeysetPage;
import dev.tributary.internal.sql.Position;
import dev.tributary.internal.sql.RowKey;
import dev.tributary.internal.sql.RunningTransactions;
import dev.tributary.internal.sql.SetAside;
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
import org.jooq.JSONB;

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

    private static final KeysetOrder KEYSET = new KeysetOrder(
            EVENTS, EVENTS.RECEIVED_AT, List.of(EVENTS.BUSINESS_KEY), EVENTS.PAYLOAD.ne(inline(JSONB.jsonb("{}"))));
    private static final Map<Field<?>, Field<?>> PAYLOAD =
            Map.of(EVENTS.PAYLOAD, inline(JSONB.jsonb("{\"archived\": true}")));
    private static final Map<Field<?>, Field<?>> JOB =
            fields(JOBS.TYPE, inline("ARCHIVE"), JOBS.CONFIG, EVENTS.PAYLOAD, JOBS.MAX_ATTEMPTS, inline(10));
    private static final Position PLACE = Position.of(new String[] {"1970-01-01 00:00:00+00", "evt-1"});
    private static final Position END = Position.of(new String[] {"2026-11-30 08:30:00+00", "evt-2"});
    private static final KeysetPage PAGE = KeysetPage.after(KEYSET, Optional.of(PLACE), Optional.of(END), 100);

    private BatchStatements() {}

    private static Map<Field<?>, Field<?>> fields(Field<?>... columnsAndValues) {
        Map<Field<?>, Field<?>> fields = new LinkedHashMap<>();
        for (int i = 0; i < columnsAndValues.length; i += 2) {
            fields.put(columnsAndValues[i], columnsAndValues[i + 1]);
        }
        return fields;
    }

    static Stream<RenderedSqlTest.Statement> all() {
        return Stream.concat(ofSets(), ofCursors());
    }

    private static Stream<RenderedSqlTest.Statement> ofCursors() {
        return Stream.of(
                new RenderedSqlTest.Statement("cursor-create", CursorRow.create("walk", KEYSET.names())),
                new RenderedSqlTest.Statement("cursor-read", CursorRow.read("walk")),
                new RenderedSqlTest.Statement("cursor-lock", CursorRow.lock("walk")),
                new RenderedSqlTest.Statement(
                        "cursor-move", CursorRow.move("walk", Optional.of(PLACE), Optional.of(END), 100)),
                new RenderedSqlTest.Statement("cursor-reset", CursorRow.reset("walk")),
                new RenderedSqlTest.Statement("cursor-update", CursorWrite.update(PAGE, PAYLOAD)),
                new RenderedSqlTest.Statement("cursor-delete", CursorWrite.delete(PAGE)),
                new RenderedSqlTest.Statement("cursor-insert", CursorWrite.copy(PAGE, JOBS, JOB)),
                new RenderedSqlTest.Statement("cursor-page", PAGE.rows()),
                new RenderedSqlTest.Statement(
                        "cursor-rows", BatchRows.locked(KEYSET, List.of(new RowKey(List.of("evt-1"))))),
                new RenderedSqlTest.Statement(
                        "cursor-row", KeysetPage.at(KEYSET, PLACE).rows()),
                new RenderedSqlTest.Statement("set-aside", SetAside.places("walk")),
                new RenderedSqlTest.Statement("set-aside-add", SetAside.add("walk", PLACE, "22012 division by zero")),
                new RenderedSqlTest.Statement("set-aside-remove", SetAside.remove("walk", PLACE)),
                new RenderedSqlTest.Statement("cursor-last", KEYSET.last()),
                new RenderedSqlTest.Statement("running-transactions", RunningTransactions.ofSessions()),
                new RenderedSqlTest.Statement("prepared-transactions", RunningTransactions.prepared()));
    }

    private static Stream<RenderedSqlTest.Statement> ofSets() {
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
