package dev.tributary.examples.pricerefresh;

import static dev.tributary.db.Tables.JOBS;
import static org.jooq.impl.DSL.jsonbGetAttribute;

import dev.tributary.JobStatus;
import dev.tributary.TributarySchema;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;

/** What only the table knows: queries of our own on the library's typed table. */
final class Backlog {
    private final DSLContext db;

    Backlog(DataSource dataSource, String schema) {
        MappedSchema mapped =
                new MappedSchema().withInput(TributarySchema.DEFAULT).withOutput(schema);
        Settings settings = new Settings().withRenderMapping(new RenderMapping().withSchemata(mapped));
        this.db = DSL.using(dataSource, SQLDialect.POSTGRES, settings);
    }

    /** Jobs that are not done. */
    int size() {
        return db.fetchCount(
                JOBS,
                JOBS.TYPE.eq(Refresh.PRICE_REFRESH.name()).and(JOBS.STATUS.in(JobStatus.PENDING, JobStatus.RUNNING)));
    }

    /** Jobs that were merged away by a carry over: no answer tells, the note on the row does. */
    int carriedOver() {
        return db.fetchCount(
                JOBS,
                JOBS.TYPE
                        .eq(Refresh.PRICE_REFRESH.name())
                        .and(jsonbGetAttribute(JOBS.RESULT, "carriedOver").isNotNull()));
    }
}
