package dev.tributary.internal.sql;

import static dev.tributary.db.Tables.JOBS;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.when;

import dev.tributary.JobType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.SelectField;
import org.jooq.impl.SQLDataType;

/** Tells who listens, once the transaction has committed, which type has a new job. */
public final class Notify {
    private Notify() {}

    /** The channel of a schema. Channels belong to the database, so each schema has one of its own. */
    public static String channel(String schema) {
        // A hash, since the name of a schema may leave no room for the prefix. Where two schemas have the same, workers
        // are woken for nothing.
        return "tributary_" + Integer.toHexString(schema.hashCode());
    }

    /**
     * What an enqueue returns of each row. With a channel, returning it also notifies, so that it costs no round trip.
     *
     * @param channel empty: nobody is to be told
     */
    static List<SelectField<?>> returning(Optional<String> channel, JobType<?> type, SelectField<?>... answer) {
        List<SelectField<?>> all = new ArrayList<>(List.of(answer));
        channel.ifPresent(to -> all.add(when(
                isNewAndDue(),
                function(name("pg_notify"), SQLDataType.VARCHAR, param("channel", to), param("type", type.name())))));
        return all;
    }

    /** Created by this very statement: a job that was merged into has been there before. */
    private static Condition isNewAndDue() {
        return JOBS.CREATED_AT.eq(Clock.now()).and(JOBS.RUN_AT.le(Clock.now()));
    }
}
