package dev.tributary;

import dev.tributary.support.Database;
import dev.tributary.support.OneConnection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.ZoneId;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

/** As {@link DataSourcesTest}, in another time zone. */
@Isolated("it sets the time zone of the JVM")
class HostTimeZoneTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    @Test
    void worksWhereTheHostAndTheServerAreInOtherTimeZones() throws SQLException {
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone(ZoneId.of("America/New_York")));
        try {
            // The driver sends the zone of the JVM when it connects; a host may set another afterwards.
            try (OneConnection connection = new OneConnection(database.dataSource(), true)) {
                try (Statement statement = connection.connection().createStatement()) {
                    statement.execute("SET TIME ZONE 'Asia/Kolkata'");
                }
                DataSourcesTest.rounds(database, JobQueue.on(connection.dataSource()), connection.connection());
            }
        } finally {
            TimeZone.setDefault(before);
        }
    }
}
