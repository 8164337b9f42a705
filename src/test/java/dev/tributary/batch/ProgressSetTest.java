package dev.tributary.batch;

import static dev.tributary.batch.Ads.ADS;
import static dev.tributary.batch.Ads.ID;
import static dev.tributary.batch.Ads.TRUST_SCORE;
import static dev.tributary.db.Tables.JOBS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import dev.tributary.JobStatus;
import dev.tributary.JobType;
import dev.tributary.db.tables.Jobs;
import dev.tributary.support.Database;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be done to the rows of which tables. */
class ProgressSetTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private static final Table<Record> COPIES = table(name("copies"));
    private static final Field<Long> AD_ID = field(name("ad_id"), SQLDataType.BIGINT);
    private static final Field<String> PART = field(name("part"), SQLDataType.VARCHAR);
    private static final Condition COPIED = Ads.isNotIn(COPIES, AD_ID);

    @SuppressWarnings("rawtypes")
    private static final JobType<Map> JOB = JobType.named("T", Map.class).build();

    @BeforeEach
    void rows() {
        Ads.create(database, 300);
        database.execute("DROP TABLE IF EXISTS copies");
        database.execute("CREATE TABLE copies (ad_id bigint)");
    }

    @Test
    void deletesThreeHundredRowsByAHundred() {
        Progress progress = BatchDaemon.named("delete")
                .over(ADS)
                .key(ID)
                .whileTrue(TRUST_SCORE.isNull())
                .delete()
                .batchSize(100)
                .on(database.pool())
                .runOnce();
        assertThat(progress.done()).isEqualTo(300);
        assertThat(count(ADS)).isZero();
    }

    @Test
    void copiesRowsToAnotherTableOnce() {
        BatchDaemon daemon = BatchDaemon.named("copy")
                .over(ADS)
                .key(ID)
                .whileTrue(COPIED)
                .insertInto(COPIES, AD_ID, ID)
                .batchSize(70)
                .on(database.pool());
        assertThat(daemon.runOnce().done()).isEqualTo(300);
        Ads.insert(database, 301, 310);
        assertThat(daemon.runOnce().done()).isEqualTo(10);
        List<Long> copies =
                database.sql(db -> db.select(AD_ID).from(COPIES).orderBy(AD_ID).fetch(AD_ID));
        assertThat(copies)
                .isEqualTo(IntStream.rangeClosed(1, 310).mapToObj(Long::valueOf).toList());
    }

    /** Paging by ranges of ids ends at the first empty page. */
    @Test
    void aGapInTheKeysIsNoEnd() {
        database.execute("DELETE FROM ads");
        Ads.insert(database, 1, 5);
        Ads.insert(database, 15_001, 15_010);
        assertThat(Ads.scoring("gap").batchSize(3).on(database.pool()).runOnce().done())
                .isEqualTo(15);
        assertThat(Ads.unscored(database)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 299, 300, 301, 1_000_000, Integer.MAX_VALUE})
    void anyBatchSizeWillDo(int size) {
        assertThat(Ads.scoring("any")
                        .batchSize(size)
                        .on(database.pool())
                        .runOnce()
                        .done())
                .isEqualTo(300);
    }

    @Test
    void aGeneratedTableIsFoundInItsSchema() {
        database.queue().enqueueAll(JOB, Collections.nCopies(10, Map.of()));
        Jobs old = JOBS.as("old");
        BatchDaemon.named("aliased")
                .over(old)
                .key(old.ID)
                .whileTrue(old.PRIORITY.lt(5).and(old.STATUS.eq(JobStatus.PENDING)))
                .set(old.PRIORITY, 5)
                .batchSize(3)
                .on(database.pool())
                .runOnce();
        assertThat(database.jobs()).allMatch(job -> job.getPriority() == 5).hasSize(10);
    }

    /** All of a composite key's parts are compared, in a strict order without gaps: pages of 7 cut through every group. */
    @ParameterizedTest
    @ValueSource(strings = {"uuid", "text", "timestamptz", "numeric(20,4)", "date", "boolean", "double precision"})
    void aKeyMayHaveSeveralColumnsOfAnyType(String type) {
        database.execute("DROP TABLE IF EXISTS parts");
        database.execute("CREATE TABLE parts (part " + type + ", id bigint, score integer, PRIMARY KEY (part, id))");
        String part = switch (type) {
            case "uuid" -> "md5((i % 3)::text)::uuid";
            case "text" -> "'Ä''\"{},\\' || i % 3";
            case "timestamptz" -> "timestamptz '2024-02-29 23:59:59.123456+05:30' + (i % 3) * interval '1 microsecond'";
            case "numeric(20,4)" -> "1234567890123456.7891 + i % 3";
            case "date" -> "date '0044-03-15' + (i % 3)";
            case "boolean" -> "i % 2 = 0";
            default -> "0.1::double precision + (i % 3)";
        };
        database.execute("INSERT INTO parts SELECT " + part + ", i FROM generate_series(1, 100) AS i");
        Field<Integer> score = field(name("score"), SQLDataType.INTEGER);
        Field<?> typed = switch (type) {
            case "uuid" -> field(name("part"), SQLDataType.UUID);
            case "text" -> field(name("part"), SQLDataType.CLOB);
            case "timestamptz" -> field(name("part"), SQLDataType.INSTANT);
            case "numeric(20,4)" -> field(name("part"), SQLDataType.NUMERIC);
            case "date" -> field(name("part"), SQLDataType.LOCALDATE);
            case "boolean" -> field(name("part"), SQLDataType.BOOLEAN);
            default -> field(name("part"), SQLDataType.DOUBLE);
        };
        Progress progress = BatchDaemon.named("parts")
                .over(table(name("parts")))
                .key(typed, ID)
                .whileTrue(score.isNull())
                .set(score, 1)
                .batchSize(7)
                .on(database.pool())
                .runOnce();
        assertThat(progress.done()).isEqualTo(100);
        assertThat(progress.selected()).isEqualTo(100);
        assertThat(progress.waiting()).isZero();
    }

    @Test
    void aColumnWithAConverterMayBePartOfTheKey() {
        database.queue().enqueueAll(JOB, Collections.nCopies(10, Map.of()));
        Progress progress = BatchDaemon.named("converted")
                .over(JOBS)
                .key(JOBS.STATUS, JOBS.CREATED_AT, JOBS.ID)
                .whileTrue(JOBS.PRIORITY.lt(5))
                .set(JOBS.PRIORITY, 5)
                .batchSize(3)
                .on(database.pool())
                .runOnce();
        assertThat(progress.done()).isEqualTo(10);
    }

    @Test
    void columnsThatAreNotUniqueAreNoKey() {
        database.execute("CREATE TABLE IF NOT EXISTS twins (part text, id bigint)");
        database.execute("INSERT INTO twins VALUES ('a', 1), ('a', NULL), ('b', 3)");
        BatchColumns options = BatchDaemon.named("twins")
                .over(table(name("twins")))
                .key(PART)
                .whileTrue(ID.isNull())
                .set(ID, 7L);
        assertThatExceptionOfType(NotAKey.class)
                .isThrownBy(() -> options.on(database.pool()).runOnce())
                .withMessageContaining("would have written 2 rows of twins")
                .withMessageContaining("not unique");
        assertThat(count(table(name("twins")), ID.isNull())).isOne();
    }

    @Test
    void aNullInTheKeyIsRefusedByName() {
        database.execute("DROP TABLE IF EXISTS keyless");
        database.execute("CREATE TABLE keyless (part text, id bigint)");
        database.execute("INSERT INTO keyless VALUES (NULL, NULL)");
        assertThatExceptionOfType(NotAKey.class)
                .isThrownBy(() -> BatchDaemon.named("keyless")
                        .over(table(name("keyless")))
                        .key(PART)
                        .whileTrue(ID.isNull())
                        .delete()
                        .on(database.pool())
                        .runOnce())
                .withMessageContaining("keyless")
                .withMessageContaining("null in its key");
        assertThat(count(table(name("keyless")))).isOne();
    }

    private static int count(Table<?> table) {
        return database.sql(db -> db.fetchCount(table));
    }

    private static int count(Table<?> table, Condition condition) {
        return database.sql(db -> db.fetchCount(table, condition));
    }
}
