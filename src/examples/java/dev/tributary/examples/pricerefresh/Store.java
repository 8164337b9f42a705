package dev.tributary.examples.pricerefresh;

import dev.tributary.JobQueue;
import dev.tributary.inbox.Inbox;
import javax.sql.DataSource;

/** Where the jobs of a run are, and how another process gets there. */
record Store(DataSource dataSource, String url, String schema) {
    JobQueue queue() {
        return JobQueue.on(dataSource, schema);
    }

    Inbox inbox() {
        return Inbox.on(dataSource, schema);
    }

    Backlog backlog() {
        return new Backlog(dataSource, schema);
    }
}
