package dev.tributary.examples.pricerefresh;

import static dev.tributary.db.Tables.JOBS;

import dev.tributary.JobStatus;
import dev.tributary.TributarySchema;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;

/** How many jobs are not done: a query of our own on the library's table. */
final class Backlog {
    private final DSLContext db;

    Backlog(DataSource dataSource, String schema) {
        MappedSchema mapped =
                new MappedSchema().withInput(TributarySchema.DEFAULT).withOutput(schema);
        Settings settings = new Settings().withRenderMapping(new RenderMapping().withSchemata(mapped));
        this.db = DSL.using(dataSource, SQLDialect.POSTGRES, settings);
    }

    int size() {
        return db.fetchCount(
                JOBS,
                JOBS.TYPE.eq(Refresh.PRICE_REFRESH.name()).and(JOBS.STATUS.in(JobStatus.PENDING, JobStatus.RUNNING)));
    }
}
