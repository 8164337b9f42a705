package dev.tributary.batch;

import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.table;

import dev.tributary.support.Await;
import dev.tributary.support.Database;
import java.time.Instant;
import java.util.List;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/** The table of the seed, as a host may name it who generates no code: its names are unqualified. */
final class Ads {
    static final Table<Record> ADS = table(name("ads"));
    static final Field<Long> ID = field(name("id"), SQLDataType.BIGINT);
    static final Field<Integer> TRUST_SCORE = field(name("trust_score"), SQLDataType.INTEGER);

    /** How often a row was written. */
    static final Field<Integer> WRITES = field(name("writes"), SQLDataType.INTEGER);

    /** Null at first. */
    static final Field<Instant> SEEN_AT = field(name("seen_at"), SQLDataType.INSTANT);

    private Ads() {}

    /** Ids from 1; nothing has a score. */
    static void create(Database database, int rows) {
        database.execute("DROP TABLE IF EXISTS ads CASCADE");
        database.execute(
                "CREATE TABLE ads (id bigint PRIMARY KEY, trust_score integer, writes integer NOT NULL DEFAULT 0,"
                        + " seen_at timestamptz)");
        insert(database, 1, rows);
    }

    static void insert(Database database, int from, int to) {
        database.execute("INSERT INTO ads (id) SELECT generate_series(" + from + ", " + to + ")");
    }

    /** Scores every row once. */
    static BatchColumns scoring(String name) {
        return BatchDaemon.named(name)
                .over(ADS)
                .key(ID)
                .whileTrue(TRUST_SCORE.isNull())
                .set(TRUST_SCORE, ID.mod(100).cast(SQLDataType.INTEGER))
                .set(WRITES, WRITES.plus(1));
    }

    /** Scores every row once, whatever it has been scored with. */
    static BatchColumns walking(Keyset<?> keyset) {
        return keyset.set(TRUST_SCORE, ID.mod(100).cast(SQLDataType.INTEGER)).set(WRITES, WRITES.plus(1));
    }

    static List<Long> unscored(Database database) {
        return database.sql(db ->
                db.select(ID).from(ADS).where(TRUST_SCORE.isNull()).orderBy(ID).fetch(ID));
    }

    static int scored(Database database) {
        return database.sql(db -> db.fetchCount(ADS, TRUST_SCORE.isNotNull()));
    }

    static void awaitScored(Database database) {
        Await.until(() -> unscored(database).isEmpty(), () -> "these are not scored: " + unscored(database));
    }

    /** How often rows were written, each number once. */
    static List<Integer> writes(Database database) {
        return database.sql(
                db -> db.selectDistinct(WRITES).from(ADS).orderBy(WRITES).fetch(WRITES));
    }

    /** Rows with these ids cannot be updated. */
    static void refuse(Database database, String ids, String sqlState) {
        database.execute("CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " IF old.id IN (" + ids + ") THEN RAISE EXCEPTION 'not this one' USING ERRCODE = '" + sqlState
                + "'; END IF; RETURN new; END $$");
        database.execute(
                "CREATE OR REPLACE TRIGGER refuse BEFORE UPDATE ON ads FOR EACH ROW EXECUTE FUNCTION refuse()");
    }

    static void refuseNoMore(Database database) {
        database.execute("DROP TRIGGER refuse ON ads");
    }

    /** An ad of which there is no copy; in a form that links with every jOOQ. */
    static Condition isNotIn(Table<?> copies, Field<Long> adId) {
        return condition("NOT EXISTS {0}", field(selectOne().from(copies).where(adId.eq(ID))));
    }
}
