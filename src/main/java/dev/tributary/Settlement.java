package dev.tributary;

import dev.tributary.internal.Arguments;
import dev.tributary.internal.ErrorText;
import dev.tributary.internal.Steps;
import dev.tributary.internal.sql.Complete;
import dev.tributary.internal.sql.Fail;
import dev.tributary.internal.sql.Renew;
import java.time.Duration;
import java.util.UUID;
import java.util.function.BiFunction;
import org.jooq.JSONB;
import org.jooq.RowCountQuery;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a holder says of one job that does not go back to PENDING: that it is done, has failed, takes longer. */
record Settlement(Steps steps) {
    private static final Logger LOG = LoggerFactory.getLogger(JobQueue.class);

    Settled complete(ReservedJob<?> job, @Nullable Object result) {
        JSONB json = JsonCodec.written("the result of " + job, result);
        return settle("complete", job, (id, token) -> Complete.query(id, token, json));
    }

    Settled fail(ReservedJob<?> job, @Nullable String error) {
        return settle("fail", job, (id, token) -> Fail.query(id, token, ErrorText.storable(error)));
    }

    Settled renew(ReservedJob<?> job, Duration lease) {
        return settle("renew", job, (id, token) -> Renew.query(id, token, lease));
    }

    private Settled settle(String verb, ReservedJob<?> job, BiFunction<Long, UUID, RowCountQuery> statement) {
        Arguments.notNull("the reserved job", job);
        if (steps.run(tx -> tx.execute(statement.apply(job.id(), job.lockToken()))) == 1) {
            return Settled.DONE;
        }
        LOG.info("{}: lease lost, {} changed nothing", job, verb);
        return Settled.LEASE_LOST;
    }
}
