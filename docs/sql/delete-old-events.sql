-- psql -f docs/sql/delete-old-events.sql \
--   -v after_1='1970-01-01T00:00:00Z' \
--   -v after_2='evt-1' \
--   -v age_seconds='7776000.0'
WITH
  tributary_batch AS (
    SELECT
      tributary.events.received_at AS tributary_key_1,
      tributary.events.business_key AS tributary_key_2
    FROM tributary.events
    WHERE (
      tributary.events.received_at < (statement_timestamp() - (cast('1 second' AS interval) * cast(:'age_seconds' AS double precision)))
      AND (tributary.events.received_at, tributary.events.business_key) > (cast(:'after_1' AS timestamp with time zone), :'after_2')
    )
    ORDER BY tributary.events.received_at, tributary.events.business_key
    FETCH NEXT 100 ROWS ONLY
    FOR UPDATE SKIP LOCKED
  ),
  tributary_written AS (
    DELETE FROM tributary.events
    USING tributary_batch
    WHERE (
      tributary.events.received_at = tributary_batch.tributary_key_1
      AND tributary.events.business_key = tributary_batch.tributary_key_2
    )
    RETURNING tributary.events.received_at
  )
SELECT
  tributary_batch.tributary_key_1,
  tributary_batch.tributary_key_2,
  (
    SELECT count(*)
    FROM tributary_written
  ) AS tributary_written
FROM tributary_batch
ORDER BY tributary_batch.tributary_key_1, tributary_batch.tributary_key_2;
