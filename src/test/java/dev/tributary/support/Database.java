package dev.tributary.support;

import static dev.tributary.db.Tables.BATCH_CURSORS;
import static dev.tributary.db.Tables.EVENTS;
import static dev.tributary.db.Tables.JOBS;

import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.db.tables.records.EventsRecord;
import dev.tributary.db.tables.records.JobsRecord;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database of a test class's own, with the tables of the library in it and no rows at the begin of each test. Registered
 * as a static extension.
 */
public final class Database implements BeforeEachCallback, AfterEachCallback, AfterAllCallback, AutoCloseable {
    private final String name;
    private final Connections kept;
    private boolean hasTrigger;

    private Database(String name) {
        this.name = name;
        this.kept = new Connections(Postgres.dataSourceOf(name));
    }

    /** Migrated. */
    public static Database migrated() {
        return new Database(Postgres.createFromTemplate());
    }

    /** Nothing in it. */
    public static Database empty() {
        return new Database(Postgres.createEmpty());
    }

    /** Nothing in it, and its characters stored in another encoding than UTF8. */
    public static Database emptyIn(String encoding) {
        return new Database(Postgres.createEmptyIn(encoding));
    }

    /** A data source of its own, so that a test may set it as it likes. */
    public PGSimpleDataSource dataSource() {
        return Postgres.dataSourceOf(name);
    }

    /** With user and password in it, for another process. */
    public String url() {
        return Postgres.urlOf(name);
    }

    public Connection connect() {
        try {
            return dataSource().getConnection();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Of connections that are kept and lent again. */
    public DataSource pool() {
        return kept.dataSource();
    }

    public JobQueue queue() {
        return JobQueue.on(pool());
    }

    /** A session with an open transaction. */
    public Session session() {
        return new Session(this);
    }

    public <T> T sql(Function<DSLContext, T> work) {
        try (Connection connection = pool().getConnection()) {
            return work.apply(DSL.using(connection, SQLDialect.POSTGRES));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    public void execute(String sql) {
        try (Connection connection = pool().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** The rows, oldest id first. */
    public List<JobsRecord> jobs() {
        return sql(db -> db.selectFrom(JOBS).orderBy(JOBS.ID).fetch());
    }

    public JobsRecord job(long id) {
        return sql(db -> db.fetchSingle(JOBS, JOBS.ID.eq(id)));
    }

    public List<JobsRecord> jobs(JobStatus status) {
        return jobs().stream().filter(job -> job.getStatus() == status).toList();
    }

    /** The rows, in the order of their keys. */
    public List<EventsRecord> events() {
        return sql(db -> db.selectFrom(EVENTS).orderBy(EVENTS.BUSINESS_KEY).fetch());
    }

    /** Returns once the rows are so. */
    public void await(Predicate<List<JobsRecord>> question) {
        sql(db -> {
            Await.until(
                    () -> question.test(db.selectFrom(JOBS).orderBy(JOBS.ID).fetch()), () -> "the jobs are " + jobs());
            return true;
        });
    }

    /** Returns once the lease of a job has been renewed twice more: one that was on its way does not count. */
    public void awaitRenewal(long id) {
        for (int times = 0; times < 2; times++) {
            Instant lease = job(id).getLeaseUntil();
            await(jobs -> jobs.stream()
                    .anyMatch(job -> job.getId() == id && job.getLeaseUntil().isAfter(lease)));
        }
    }

    /** Ends the leases of all running jobs, as if time had passed. */
    public void expireLeases() {
        sql(db -> db.update(JOBS)
                .set(JOBS.LEASE_UNTIL, Instant.EPOCH)
                .where(JOBS.STATUS.eq(JobStatus.RUNNING))
                .execute());
    }

    /** Makes all pending jobs due, as if time had passed. */
    public void makeDue() {
        sql(db -> db.update(JOBS)
                .set(JOBS.RUN_AT, Instant.EPOCH)
                .where(JOBS.STATUS.eq(JobStatus.PENDING))
                .execute());
    }

    /**
     * A trigger that the host has put on the table of jobs, before each update, until the test ends.
     *
     * @param when a condition on {@code old} and {@code new}
     * @param then a statement of PL/pgSQL
     */
    public void onUpdate(String when, String then) {
        hasTrigger = true;
        execute("CREATE OR REPLACE FUNCTION host() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF " + when + " THEN "
                + then + "; END IF; RETURN new; END $$");
        execute("CREATE TRIGGER host BEFORE UPDATE ON tributary.jobs FOR EACH ROW EXECUTE FUNCTION host()");
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (hasTrigger) {
            execute("DROP TRIGGER host ON tributary.jobs");
            hasTrigger = false;
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        // The database is this class's alone.
        sql(db -> db.deleteFrom(JOBS).execute()
                + db.deleteFrom(EVENTS).execute()
                + db.deleteFrom(BATCH_CURSORS).execute());
    }

    @Override
    public void afterAll(ExtensionContext context) {
        boolean nested = context.getRequiredTestClass().isAnnotationPresent(Nested.class);
        if (!nested) {
            close();
        }
    }

    @Override
    public void close() {
        kept.close();
        Postgres.drop(name);
    }
}
