-- psql -f docs/sql/lock-table.sql
SELECT
  cast(
    current_setting('max_locks_per_transaction')
    AS bigint
  ),
  cast(
    current_setting('max_connections')
    AS bigint
  ),
  cast(
    current_setting('max_prepared_transactions')
    AS bigint
  );
