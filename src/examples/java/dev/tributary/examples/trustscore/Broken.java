package dev.tributary.examples.trustscore;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;

import java.util.concurrent.atomic.AtomicInteger;
import me.tongfei.progressbar.ProgressBar;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.DSL;

/** The statement the daemon is made against: its limit is inside, its filter outside. */
final class Broken {
    private final Ads ads;
    private final ProgressBar bar;
    private final Query statement;
    private final AtomicInteger statements = new AtomicInteger();
    private final AtomicInteger idle = new AtomicInteger();

    Broken(Ads ads, int batchSize, ProgressBar bar) {
        this.ads = ads;
        this.bar = bar;
        this.statement = statement(ads.table(), batchSize);
    }

    private static Query statement(Table<Record> table, int batchSize) {
        Table<Record> ad = table.as("ad");
        Field<Long> id = field(name("ad", "id"), Ads.ID.getDataType());
        Field<Integer> trustScore = field(name("ad", "trust_score"), Ads.TRUST_SCORE.getDataType());
        Field<Long> chosen = field(name("sub", "id"), Ads.ID.getDataType());
        Field<Integer> computed = field(name("sub", "ts"), Ads.TRUST_SCORE.getDataType());
        return DSL.update(ad)
                .set(trustScore, computed)
                .from(select(Ads.ID, Ads.COMPUTED.as("ts"))
                        .from(table)
                        .limit(inline(batchSize))
                        .asTable("sub"))
                .where(id.eq(chosen))
                .and(trustScore.isNull().or(trustScore.ne(computed)));
    }

    /** Sends it once. */
    void round() {
        int written = ads.db().transactionResult(tx -> {
            firstRowsFirst(tx.dsl());
            return tx.dsl().execute(statement);
        });
        if (written == 0) {
            idle.incrementAndGet();
        }
        statements.incrementAndGet();
        bar.stepBy(written);
        bar.setExtraMessage(Screen.padded(count().toString()));
    }

    /** A scan of a large table may begin where the one before ended: then the statement goes on to other rows, by chance. */
    private static void firstRowsFirst(DSLContext tx) {
        tx.select(DSL.function("set_config", String.class, inline("synchronize_seqscans"), inline("off"), inline(true)))
                .fetch();
    }

    Count count() {
        return new Count(statements.get(), idle.get());
    }

    /** How often it was sent, and how often of that for nothing. */
    record Count(int statements, int idle) {
        @Override
        public String toString() {
            return statements + " statements, " + idle + " did nothing";
        }
    }
}
