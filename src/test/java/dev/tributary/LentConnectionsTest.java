package dev.tributary;

import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.support.Database;
import dev.tributary.support.OneConnection;
import dev.tributary.support.Refresh;
import dev.tributary.support.Round;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pools that hand out, or take back, connections in a state of their own. */
class LentConnectionsTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    @Test
    void aTransactionThatThePoolsOwnQueryHasBegunIsNoHindrance() throws SQLException {
        try (OneConnection pool = new OneConnection(database.dataSource(), false)) {
            execute(pool.connection(), "SELECT 1");
            Round.on(JobQueue.on(pool.dataSource()), "c1");
            execute(pool.connection(), "SELECT 1");
            TributarySchema.migrate(pool.dataSource());
        }
    }

    @Test
    void aTransactionInWhichSomebodyHasWrittenIsLeftAlone() throws SQLException {
        try (OneConnection pool = new OneConnection(database.dataSource(), false)) {
            execute(pool.connection(), "CREATE TABLE public.written (id int)");
            JobQueue queue = JobQueue.on(pool.dataSource());
            assertThatExceptionOfType(NoTransaction.class)
                    .isThrownBy(() -> queue.enqueue(TYPE, Refresh.of("c1")))
                    .withMessageContaining("within");
            execute(pool.connection(), "SELECT * FROM public.written");
        }
    }

    @Test
    void aConnectionThatCannotBeGivenBackChangesNoAnswer() throws SQLException {
        try (OneConnection pool = new OneConnection(database.dataSource(), true)) {
            assertThat(JobQueue.on(pool.dataSourceThatFailsOnClose()).enqueue(TYPE, Refresh.of("c1")))
                    .isInstanceOf(Enqueued.Inserted.class);
        }
        assertThat(database.jobs()).hasSize(1);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
