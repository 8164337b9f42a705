package dev.tributary;

import static dev.tributary.support.Refresh.TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tributary.support.Database;
import dev.tributary.support.Refresh;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A context on a pool is not a transaction, though its connections are not in auto-commit mode. */
class PooledContextTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    @Test
    void isRefusedBeforeAnythingIsAnswered() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setAutoCommit(false);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JobQueue here = JobQueue.on(pool).within(DSL.using(pool, SQLDialect.POSTGRES));
            assertThatExceptionOfType(NoTransaction.class)
                    .isThrownBy(() -> here.enqueue(TYPE, Refresh.of("c1", "p1")))
                    .withMessageContaining("another connection");
        }
        assertThat(database.jobs()).isEmpty();
    }
}
