package dev.tributary.batch;

import static dev.tributary.batch.Ads.ADS;
import static dev.tributary.batch.Ads.ID;
import static dev.tributary.batch.Ads.SEEN_AT;
import static dev.tributary.batch.Ads.TRUST_SCORE;
import static dev.tributary.batch.Ads.WRITES;
import static org.jooq.impl.DSL.inline;

import org.jooq.impl.SQLDataType;

/** Each way through the ads. */
enum Way {
    SET {
        @Override
        BatchWork<?> work() {
            return BatchDaemon.named("walk").over(ADS).key(ID).whileTrue(TRUST_SCORE.isNull());
        }
    },
    CURSOR {
        @Override
        BatchWork<?> work() {
            return BatchDaemon.named("walk").over(ADS).keyset(ID);
        }
    },
    CURSOR_AMONG_NULLS {
        @Override
        BatchWork<?> work() {
            return BatchDaemon.named("walk").over(ADS).keyset(SEEN_AT, ID);
        }
    };

    abstract BatchWork<?> work();

    BatchColumns scoring() {
        return work().set(TRUST_SCORE, ID.mod(inline(100L)).cast(SQLDataType.INTEGER))
                .set(WRITES, WRITES.plus(1));
    }
}
