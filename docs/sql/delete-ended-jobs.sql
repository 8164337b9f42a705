-- psql -f docs/sql/delete-ended-jobs.sql \
--   -v after_1='1970-01-01T00:00:00Z' \
--   -v after_2='41' \
--   -v age_seconds='2592000.0'
WITH
  tributary_batch AS (
    SELECT
      tributary.jobs.finished_at AS tributary_key_1,
      tributary.jobs.id AS tributary_key_2
    FROM tributary.jobs
    WHERE (
      tributary.jobs.status = 'COMPLETED'
      AND tributary.jobs.finished_at < (statement_timestamp() - (cast('1 second' AS interval) * cast(:'age_seconds' AS double precision)))
      AND (NOT EXISTS (
        SELECT 1 AS one
        FROM tributary.jobs AS merged
        WHERE merged.merged_into_job_id = tributary.jobs.id
      ))
      AND (tributary.jobs.finished_at, tributary.jobs.id) > (cast(:'after_1' AS timestamp with time zone), :'after_2')
    )
    ORDER BY tributary.jobs.finished_at, tributary.jobs.id
    FETCH NEXT 100 ROWS ONLY
    FOR UPDATE SKIP LOCKED
  ),
  tributary_written AS (
    DELETE FROM tributary.jobs
    USING tributary_batch
    WHERE (
      tributary.jobs.finished_at = tributary_batch.tributary_key_1
      AND tributary.jobs.id = tributary_batch.tributary_key_2
    )
    RETURNING tributary.jobs.finished_at
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
