package dev.tributary;

import static dev.tributary.support.Refresh.LEASE;
import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import dev.tributary.support.Session;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many reservations at once. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReservationsTest {
    private static final Duration LONGER = LEASE.multipliedBy(2);

    @RegisterExtension
    static final Database database = Database.migrated();

    private final JobQueue queue = database.queue();
    private final Reservations reservations = Reservations.of(queue);

    @ParameterizedTest
    @ValueSource(strings = {"UPDATE", "NO KEY UPDATE", "SHARE"})
    void renewsAllButALockedOneAndTakesThatForHeld(String lock) {
        List<ReservedJob<Refresh>> jobs = three();
        try (Session host = database.session()) {
            host.executes("SELECT 1 FROM tributary.jobs WHERE merge_key = 'b' FOR " + lock);
            assertThat(reservations.renew(jobs, LONGER)).isEqualTo(tokens(jobs.stream()));
        }
        assertThat(isRenewed(jobs.get(0))).isTrue();
        assertThat(isRenewed(jobs.get(1))).isFalse();
        assertThat(isRenewed(jobs.get(2))).isTrue();
    }

    @Test
    void renewsALockedOneThatIsGoneUntilItsEndIsCommitted() {
        List<ReservedJob<Refresh>> jobs = three();
        try (Session holder = database.session()) {
            holder.does(q -> q.complete(jobs.get(1)));
            assertThat(reservations.renew(jobs, LONGER)).isEqualTo(tokens(jobs.stream()));
            holder.commits();
        }
        assertThat(reservations.renew(jobs, LONGER)).isEqualTo(tokens(Stream.of(jobs.get(0), jobs.get(2))));
    }

    @Test
    void doesNotRenewUnderTheTokenOfAnEarlierReservation() {
        ReservedJob<Refresh> first = three().get(0);
        queue.requeue(first, "busy");
        ReservedJob<Refresh> again = queue.reserve(TYPE, 1, LEASE).get(0);
        assertThat(again.id()).isEqualTo(first.id());
        assertThat(reservations.renew(List.of(first), LONGER)).isEmpty();
        assertThat(isRenewed(again)).isFalse();
        assertThat(reservations.renew(List.of(first, again), LONGER)).containsExactly(again.lockToken());
        assertThat(isRenewed(again)).isTrue();
    }

    private List<ReservedJob<Refresh>> three() {
        List.of("a", "b", "c").forEach(key -> queue.enqueue(TYPE, Refresh.of(key, "1")));
        return queue.reserve(TYPE, 3, LEASE);
    }

    private static boolean isRenewed(ReservedJob<?> job) {
        return database.job(job.id()).getLeaseUntil().isAfter(job.leaseUntil().plus(LEASE.dividedBy(2)));
    }

    private static Set<UUID> tokens(Stream<ReservedJob<Refresh>> jobs) {
        return jobs.map(ReservedJob::lockToken).collect(Collectors.toSet());
    }
}
