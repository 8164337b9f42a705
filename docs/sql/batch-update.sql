-- psql -f docs/sql/batch-update.sql \
--   -v after_1='41'
WITH
  tributary_batch AS (
    SELECT tributary.jobs.id AS tributary_key_1
    FROM tributary.jobs
    WHERE (
      tributary.jobs.priority < 5
      AND tributary.jobs.id > :'after_1'
    )
    ORDER BY tributary.jobs.id
    FETCH NEXT 100 ROWS ONLY
    FOR UPDATE SKIP LOCKED
  ),
  tributary_written AS (
    UPDATE tributary.jobs
    SET
      priority = 5
    FROM tributary_batch
    WHERE tributary.jobs.id = tributary_batch.tributary_key_1
    RETURNING tributary.jobs.id
  )
SELECT
  tributary_batch.tributary_key_1,
  (
    SELECT count(*)
    FROM tributary_written
  ) AS tributary_written
FROM tributary_batch
ORDER BY tributary_batch.tributary_key_1;
