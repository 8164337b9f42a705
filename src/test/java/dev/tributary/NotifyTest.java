package dev.tributary;

import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.internal.sql.Notify;
import dev.tributary.support.Database;
import dev.tributary.support.OneConnection;
import dev.tributary.support.Refresh;
import dev.tributary.support.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** What a session that listens is told. */
class NotifyTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private static final String CHANNEL = Notify.channel(TributarySchema.DEFAULT);
    private static final String MARK = "end of what is told";

    private final JobQueue queue = database.queue();
    private Connection listener;

    @BeforeEach
    void listen() throws SQLException {
        listener = database.connect();
        listener.createStatement().execute("LISTEN " + CHANNEL);
    }

    @AfterEach
    void close() throws SQLException {
        listener.close();
    }

    @Test
    void theTypeOfAJobThatIsInserted() throws SQLException {
        queue.enqueue(TYPE, Refresh.of("c1", "p1"));
        assertThat(told()).containsExactly("PRICE_REFRESH");
    }

    @Test
    void nothingOfAJobThatMerges() throws SQLException {
        queue.enqueue(TYPE, Refresh.of("c1", "p1"));
        assertThat(told()).hasSize(1);
        queue.enqueue(TYPE, Refresh.of("c1", "p2"));
        queue.enqueueAll(TYPE, List.of(Refresh.of("c1", "p3"), Refresh.of("c1", "p4")));
        assertThat(told()).isEmpty();
    }

    @Test
    void onceOfManyJobsThatAreEnqueuedTogether() throws SQLException {
        queue.enqueueAll(
                TYPE,
                IntStream.range(0, 1_000)
                        .mapToObj(i -> Refresh.of("c" + i % 700, "p" + i))
                        .toList());
        assertThat(told()).containsExactly("PRICE_REFRESH");
        queue.enqueueAll(TYPE, List.of(Refresh.of("c1", "p"), Refresh.of("new", "p")));
        assertThat(told()).containsExactly("PRICE_REFRESH");
    }

    @Test
    void theTypeOfAJobWithoutAKey() throws SQLException {
        JobType<Refresh> unkeyed = JobType.named("UNKEYED", Refresh.class).build();
        queue.enqueue(unkeyed, Refresh.of("c1", "p1"));
        assertThat(told()).containsExactly("UNKEYED");
        queue.enqueueAll(unkeyed, List.of(Refresh.of("c1", "p1"), Refresh.of("c1", "p1")));
        assertThat(told()).containsExactly("UNKEYED");
    }

    @Test
    void nothingOfAJobThatIsDueLater() throws SQLException {
        queue.enqueue(TYPE, Refresh.of("c1", "p1"), EnqueueOptions.delayedBy(Duration.ofSeconds(1)));
        assertThat(told()).isEmpty();
    }

    @Test
    void nothingOfAJobThatIsPutBack() throws SQLException {
        queue.enqueue(TYPE, Refresh.of("c1", "p1"));
        assertThat(told()).hasSize(1);
        queue.requeue(queue.reserve(TYPE, 1, Refresh.LEASE).get(0), "busy");
        assertThat(told()).isEmpty();
    }

    @Test
    void withTheCommitOfTheCallersTransactionAndNothingIfItRollsBack() throws SQLException {
        try (Session session = database.session()) {
            session.does(q -> q.enqueue(TYPE, Refresh.of("c1", "p1")));
            assertThat(told()).isEmpty();
            session.rollsBack();
            assertThat(told()).isEmpty();
            session.does(q -> q.enqueue(TYPE, Refresh.of("c1", "p1")));
            session.commits();
            assertThat(told()).containsExactly("PRICE_REFRESH");
        }
    }

    @Test
    void nothingByAQueueWithoutNotify() throws SQLException {
        JobQueue quiet = queue.withoutNotify();
        assertThat(quiet.enqueue(TYPE, Refresh.of("c1", "p1"))).isInstanceOf(Enqueued.Inserted.class);
        assertThat(quiet.enqueue(TYPE, Refresh.of("c1", "p2"))).isInstanceOf(Enqueued.Merged.class);
        quiet.enqueueAll(TYPE, List.of(Refresh.of("c2", "p1")));
        try (Session session = database.session()) {
            session.does(q -> q.withoutNotify().enqueue(TYPE, Refresh.of("c3", "p1")));
            quiet.within(session.connection()).enqueue(TYPE, Refresh.of("c4", "p1"));
            session.commits();
        }
        assertThat(told()).isEmpty();
        assertThat(database.jobs()).hasSize(4);
    }

    @Test
    void ofItsOwnSchemaOnly() throws SQLException {
        String schema = "A \"long\" name, of sixty-three bytes, 'tis: " + "é".repeat(10);
        TributarySchema.migrate(database.dataSource(), schema);
        JobQueue other = JobQueue.on(database.dataSource(), schema);
        try (Notifications.Subscription here = Notifications.of(other).subscribe()) {
            other.enqueue(TYPE, Refresh.of("c1", "p1"));
            assertThat(here.await(Duration.ofSeconds(30))).containsExactly("PRICE_REFRESH");
        }
        assertThat(told()).isEmpty();
    }

    @Test
    void onAConnectionThatIsGivenBackAsItWas() throws SQLException {
        for (boolean autoCommit : List.of(true, false)) {
            try (OneConnection one = new OneConnection(database.dataSource(), autoCommit)) {
                try (Notifications.Subscription subscription =
                        Notifications.of(queue, one.dataSource()).subscribe()) {
                    queue.enqueue(TYPE, Refresh.of("c" + autoCommit, "p1"));
                    assertThat(subscription.await(Duration.ofSeconds(30))).containsExactly("PRICE_REFRESH");
                    queue.enqueue(TYPE, Refresh.of("d" + autoCommit, "p1"));
                }
                assertThat(one.connection().getAutoCommit()).isEqualTo(autoCommit);
                assertThat(one.connection().unwrap(PGConnection.class).getNotifications())
                        .isNullOrEmpty();
                var channels = one.connection().createStatement().executeQuery("SELECT pg_listening_channels()");
                assertThat(channels.next()).isFalse();
            }
        }
    }

    @Test
    void neverOnTheConnectionOfACallersTransaction() {
        try (Session session = database.session()) {
            JobQueue within = queue.within(session.connection());
            assertThatExceptionOfType(InvalidArgument.class).isThrownBy(() -> Notifications.of(within));
            assertThatExceptionOfType(InvalidArgument.class)
                    .isThrownBy(() -> Notifications.of(within, database.dataSource()));
        }
    }

    /** All that has been told. Notifications come in the order of commits, so what is not here by now never comes. */
    private List<String> told() throws SQLException {
        database.execute("NOTIFY " + CHANNEL + ", '" + MARK + "'");
        List<String> told = new ArrayList<>();
        while (!told.contains(MARK)) {
            PGNotification[] more = listener.unwrap(PGConnection.class).getNotifications(30_000);
            assertThat(more).as("notifications").isNotEmpty();
            for (PGNotification notification : more) {
                told.add(notification.getParameter());
            }
        }
        told.remove(MARK);
        return told;
    }
}
