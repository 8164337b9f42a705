package dev.tributary.examples.trustscore;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.generateSeries;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.primaryKey;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.SQLDataType.BIGINT;
import static org.jooq.impl.SQLDataType.INTEGER;

import dev.tributary.batch.BatchDaemon;
import dev.tributary.batch.BatchOptions;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.impl.DSL;

/** A table of advertisements, and what their trust scores are computed from. */
record Ads(DSLContext db, Table<Record> table) {
    static final Field<Long> ID = field(name("id"), BIGINT);
    static final Field<Integer> CLICKS = field(name("clicks"), INTEGER);

    /** Null or 0 in a few rows: there the score is NULL, or a division by zero. */
    static final Field<Integer> VIEWS = field(name("views"), INTEGER);

    static final Field<Integer> TRUST_SCORE = field(name("trust_score"), INTEGER);
    static final Field<Integer> COMPUTED = CLICKS.times(100).div(VIEWS);

    private static final int MENDED_VIEWS = 50;

    static Ads create(DataSource dataSource, String schema, String name, int rows) {
        Ads ads = new Ads(DSL.using(dataSource, SQLDialect.POSTGRES), DSL.table(name(schema, name)));
        // Updated rows stay on their page, as after a vacuum that made room there: without that room they move to the
        // end, and
        // the broken statement, whose LIMIT takes the first rows of the table, finds new ones until the vacuum comes.
        ads.db
                .createTable(ads.table)
                .columns(ID, CLICKS, VIEWS, TRUST_SCORE)
                .constraint(primaryKey(ID))
                .storage("WITH (fillfactor = 40)")
                .execute();
        ads.insert(rows);
        return ads;
    }

    private void insert(int rows) {
        Field<Integer> id = field(name("series", "id"), INTEGER);
        Field<Integer> views = DSL.when(id.in(withoutViews(rows)), DSL.castNull(INTEGER))
                .when(id.eq(withZeroViews(rows)), 0)
                .otherwise(id.mod(90).plus(10));
        db.insertInto(table, ID, CLICKS, VIEWS)
                .select(select(id.cast(BIGINT), id.mod(10), views)
                        .from(generateSeries(1, rows).as("series", "id")))
                .execute();
    }

    static List<Integer> withoutViews(int rows) {
        return List.of(rows / 4, rows / 2, rows / 4 * 3);
    }

    static int withZeroViews(int rows) {
        return rows / 3;
    }

    /** Scores every row that has no score. */
    BatchOptions daemon(Options options) {
        return BatchDaemon.named("trust-score")
                .over(table)
                .key(ID)
                .whileTrue(TRUST_SCORE.isNull())
                .set(TRUST_SCORE, COMPUTED)
                .batchSize(options.batchSize())
                .pause(options.pause())
                // The figures are told at the end of a run: so they are told often.
                .timeBudget(options.figuresEvery())
                .every(options.figuresEvery());
    }

    /** Gives rows the views they ought to have. */
    void mend(List<String> keys) {
        db.update(table)
                .set(VIEWS, MENDED_VIEWS)
                .where(ID.in(keys.stream().map(Long::valueOf).toList()))
                .execute();
    }

    int scored() {
        return db.fetchCount(table, TRUST_SCORE.isNotNull());
    }
}
