package dev.tributary;

import static dev.tributary.db.Tables.EVENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.db.tables.records.EventsRecord;
import dev.tributary.support.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.function.Consumer;
import org.jooq.JSONB;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the table of the inbox accepts, whoever writes to it. */
class EventsTableTest {
    private static final String NOT_NULL_VIOLATION = "23502";
    private static final String UNIQUE_VIOLATION = "23505";
    private static final String CHECK_VIOLATION = "23514";

    @RegisterExtension
    static final Database database = Database.migrated();

    @Test
    void keepsWhenAnEventCameByTheClockOfTheDatabase() {
        insert(event -> {});
        Instant now = database.sql(
                db -> db.fetchSingle("SELECT statement_timestamp()").get(0, Instant.class));
        assertThat(database.events())
                .singleElement()
                .satisfies(
                        event -> assertThat(event.getReceivedAt()).isBetween(now.minus(Duration.ofSeconds(10)), now));
    }

    @Test
    void keepsAKeyOnce() {
        insert(event -> {});
        assertRefused(UNIQUE_VIOLATION, event -> event.setPayload(JSONB.jsonb("2")));
    }

    @Test
    void tellsKeysApartByteByByte() {
        insert(event -> event.setBusinessKey("é"));
        insert(event -> event.setBusinessKey("e\u0301"));
        insert(event -> event.setBusinessKey("E"));
        insert(event -> event.setBusinessKey("e"));
        insert(event -> event.setBusinessKey(" e"));
        assertThat(database.events())
                .extracting(EventsRecord::getBusinessKey)
                .containsExactly(" e", "E", "e", "e\u0301", "é");
    }

    @Test
    void wantsAKeyAndAPayload() {
        assertRefused(NOT_NULL_VIOLATION, event -> event.setBusinessKey(null));
        assertRefused(NOT_NULL_VIOLATION, event -> event.setPayload(null));
        assertRefused(CHECK_VIOLATION, event -> event.setBusinessKey(""));
    }

    /** Random, since an index entry is compressed. */
    @Test
    void takesAKeyOf1024BytesThatCannotBeCompressed() {
        StringBuilder key = new StringBuilder();
        new Random(1).ints(1024, '!', '~').forEach(c -> key.append((char) c));
        insert(event -> event.setBusinessKey(key.toString()));
        assertRefused(CHECK_VIOLATION, event -> event.setBusinessKey(key + "x"));
        assertRefused(CHECK_VIOLATION, event -> event.setBusinessKey("é".repeat(513)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[1, \"a\"]", "\"text\"", "7", "true", "null"})
    void takesAnyJson(String json) {
        insert(event -> event.setPayload(JSONB.jsonb(json)));
        assertThat(database.events())
                .extracting(event -> event.getPayload().data())
                .containsExactly(json);
    }

    private static void insert(Consumer<EventsRecord> changes) {
        database.sql(db -> {
            EventsRecord event = db.newRecord(EVENTS);
            event.setBusinessKey("k");
            event.setPayload(JSONB.jsonb("{}"));
            changes.accept(event);
            return event.insert();
        });
    }

    private static void assertRefused(String sqlState, Consumer<EventsRecord> changes) {
        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(() -> insert(changes))
                .matches(e -> e.sqlState().equals(sqlState), "SQLSTATE " + sqlState);
    }
}
