package dev.tributary.bench;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import tools.jackson.databind.json.JsonMapper;

/** The loop that somebody in a hurry for speed would write: one connection, prepared statements, 500 jobs a statement. */
final class HandWritten {
    private static final int BATCH = 500;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final String RESERVE = """
            WITH due AS (
              SELECT id FROM tributary.jobs
               WHERE type = ? AND status = 'PENDING' AND run_at <= statement_timestamp()
               ORDER BY priority DESC, run_at, id LIMIT ? FOR UPDATE SKIP LOCKED)
            UPDATE tributary.jobs SET status = 'RUNNING', lock_token = gen_random_uuid(), locked_by = ?,
                   lease_until = statement_timestamp() + interval '30 seconds', attempts = attempts + 1,
                   started_at = statement_timestamp(), updated_at = statement_timestamp()
              FROM due WHERE jobs.id = due.id
            RETURNING jobs.id, jobs.lock_token, jobs.config
            """;

    private static final String COMPLETE = """
            UPDATE tributary.jobs SET status = 'COMPLETED', lock_token = NULL, lease_until = NULL,
                   finished_at = statement_timestamp(), updated_at = statement_timestamp(),
                   duration_ms = extract(epoch FROM statement_timestamp() - started_at) * 1000
              FROM unnest(?::bigint[], ?::uuid[]) AS held (id, token)
             WHERE jobs.id = held.id AND jobs.lock_token = held.token AND jobs.status = 'RUNNING'
            """;

    private final DataSource pool;

    HandWritten(DataSource pool) {
        this.pool = pool;
    }

    void drain(int jobs) throws SQLException {
        int completed = 0;
        try (Connection connection = pool.getConnection();
                PreparedStatement reserve = connection.prepareStatement(RESERVE);
                PreparedStatement complete = connection.prepareStatement(COMPLETE)) {
            while (completed < jobs) {
                completed += batch(connection, reserve, complete);
            }
        }
    }

    private static int batch(Connection connection, PreparedStatement reserve, PreparedStatement complete)
            throws SQLException {
        List<Long> ids = new ArrayList<>(BATCH);
        List<UUID> tokens = new ArrayList<>(BATCH);
        reserve.setString(1, Drain.TYPE_NAME);
        reserve.setInt(2, BATCH);
        reserve.setString(3, "by hand");
        try (ResultSet rows = reserve.executeQuery()) {
            while (rows.next()) {
                handle(JSON.readValue(rows.getString(3), Drain.Item.class));
                ids.add(rows.getLong(1));
                tokens.add(rows.getObject(2, UUID.class));
            }
        }
        Array idArray = connection.createArrayOf("bigint", ids.toArray());
        Array tokenArray = connection.createArrayOf("uuid", tokens.toArray());
        complete.setArray(1, idArray);
        complete.setArray(2, tokenArray);
        return complete.executeUpdate();
    }

    private static void handle(Drain.Item item) {
        if (item.productIds().isEmpty()) {
            throw new IllegalStateException("a job without products");
        }
    }
}
