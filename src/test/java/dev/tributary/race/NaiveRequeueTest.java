package dev.tributary.race;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.JobQueue;
import dev.tributary.JobStatus;
import dev.tributary.ReservedJob;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.util.PSQLException;

/** Why a requeue is not an UPDATE: what the seed saw, kept so that it stays seen. */
class NaiveRequeueTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    @Test
    void raises23505AndAbortsTheTransaction() throws SQLException {
        JobQueue queue = database.queue();
        queue.enqueue(TYPE, Refresh.of("k", "1"));
        ReservedJob<Refresh> refused = queue.reserve(TYPE, 1, LEASE).get(0);
        queue.enqueue(TYPE, Refresh.of("k", "2"));

        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            String naive =
                    "UPDATE tributary.jobs SET status = 'PENDING', lock_token = NULL, lease_until = NULL WHERE id = "
                            + refused.id();
            assertThatExceptionOfType(PSQLException.class)
                    .isThrownBy(() -> statement.execute(naive))
                    .matches(e -> e.getSQLState().equals("23505"))
                    .matches(e -> e.getServerErrorMessage().getConstraint().equals("jobs_one_pending_per_key"));
            assertThatExceptionOfType(PSQLException.class)
                    .isThrownBy(() -> statement.execute("SELECT 1"))
                    .matches(e -> e.getSQLState().equals("25P02"));
        }
        assertThat(database.job(refused.id()).getStatus()).isEqualTo(JobStatus.RUNNING);
    }
}
