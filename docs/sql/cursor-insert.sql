-- psql -f docs/sql/cursor-insert.sql \
--   -v after_1='1970-01-01 00:00:00+00' \
--   -v after_2='evt-1' \
--   -v last_1='2026-11-30 08:30:00+00' \
--   -v last_2='evt-2'
WITH
  tributary_batch AS (
    SELECT tributary_page.tributary_key_1, tributary_page.tributary_sort, tributary_page.tributary_place_1, tributary_page.tributary_place_2
    FROM (
      SELECT
        tributary.events.business_key AS tributary_key_1,
        tributary.events.received_at AS tributary_sort,
        cast(tributary.events.received_at AS varchar) AS tributary_place_1,
        cast(tributary.events.business_key AS varchar) AS tributary_place_2
      FROM tributary.events
      WHERE (tributary.events.received_at, tributary.events.business_key) > (:'after_1', :'after_2')
      ORDER BY tributary.events.received_at, tributary.events.business_key
      FETCH NEXT 100 ROWS ONLY
    ) AS tributary_page
    WHERE (tributary_page.tributary_sort, tributary_page.tributary_key_1) <= (:'last_1', :'last_2')
    ORDER BY tributary_page.tributary_sort, tributary_page.tributary_key_1
  ),
  tributary_written AS (
    INSERT INTO tributary.jobs (type, config, max_attempts)
    SELECT 'ARCHIVE', tributary.events.payload, 10
    FROM tributary.events, tributary_batch
    WHERE (
      tributary.events.business_key = tributary_batch.tributary_key_1
      AND tributary.events.payload <> cast('{}' AS jsonb)
    )
    ORDER BY tributary_batch.tributary_sort, tributary_batch.tributary_key_1
    RETURNING tributary.jobs.type
  )
SELECT
  (
    SELECT count(*)
    FROM tributary_batch
  ) AS tributary_read,
  (
    SELECT count(tributary_batch.tributary_key_1)
    FROM tributary_batch
  ) AS tributary_named,
  (
    SELECT count(*)
    FROM tributary_written
  ) AS tributary_written,
  tributary_batch.tributary_place_1,
  tributary_batch.tributary_place_2
FROM tributary_batch
ORDER BY tributary_batch.tributary_sort DESC, tributary_batch.tributary_key_1 DESC
FETCH NEXT 1 ROWS ONLY;
