-- psql -f docs/sql/running-transactions.sql
SELECT pg_locks.virtualtransaction
FROM pg_catalog.pg_locks
  JOIN pg_catalog.pg_stat_activity
    ON pg_stat_activity.pid = pg_locks.pid
WHERE (
  pg_locks.locktype = 'virtualxid'
  AND pg_locks.mode = 'ExclusiveLock'
  AND pg_stat_activity.datname = current_database()
  AND pg_stat_activity.usesysid IS NOT NULL
  AND pg_locks.pid <> pg_backend_pid()
);
