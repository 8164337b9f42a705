-- psql -f docs/sql/ingest-once.sql
WITH
  before AS MATERIALIZED (
    SELECT coalesce(
      current_setting('tributary.ingested', TRUE),
      ''
    ) AS ingested_before
  )
SELECT
  ingested_before,
  current_setting('transaction_isolation'),
  set_config('tributary.ingested', 'true', TRUE) AS ingested
FROM before;
