-- psql -f docs/sql/reserve-serial.sql \
--   -v holder='worker-1' \
--   -v lease_seconds='60.0' \
--   -v limit='10' \
--   -v type='PRICE_REFRESH'
WITH
  due AS (
    SELECT tributary.jobs.id
    FROM tributary.jobs
    WHERE (
      tributary.jobs.type = :'type'
      AND tributary.jobs.status = 'PENDING'
      AND tributary.jobs.run_at <= statement_timestamp()
      AND (NOT EXISTS (
        SELECT 1 AS one
        FROM tributary.jobs AS running
        WHERE (
          running.status = 'RUNNING'
          AND running.type = tributary.jobs.type
          AND running.merge_key = tributary.jobs.merge_key
        )
      ))
    )
    ORDER BY tributary.jobs.priority DESC, tributary.jobs.run_at, tributary.jobs.id
    FETCH NEXT :'limit' ROWS ONLY
    FOR NO KEY UPDATE SKIP LOCKED
  )
UPDATE tributary.jobs
SET
  status = 'RUNNING',
  updated_at = statement_timestamp(),
  lock_token = gen_random_uuid(),
  locked_by = :'holder',
  lease_until = (statement_timestamp() + (cast('1 second' AS interval) * cast(:'lease_seconds' AS double precision))),
  attempts = (tributary.jobs.attempts + 1),
  started_at = statement_timestamp()
FROM due
WHERE tributary.jobs.id = due.id
RETURNING 
  tributary.jobs.id,
  tributary.jobs.type,
  tributary.jobs.merge_key,
  tributary.jobs.status,
  tributary.jobs.priority,
  tributary.jobs.config,
  tributary.jobs.result,
  tributary.jobs.attempts,
  tributary.jobs.max_attempts,
  tributary.jobs.run_at,
  tributary.jobs.lock_token,
  tributary.jobs.locked_by,
  tributary.jobs.lease_until,
  tributary.jobs.last_error,
  tributary.jobs.merged_into_job_id,
  tributary.jobs.merge_count,
  tributary.jobs.first_enqueued_at,
  tributary.jobs.created_at,
  tributary.jobs.updated_at,
  tributary.jobs.started_at,
  tributary.jobs.finished_at,
  tributary.jobs.duration_ms;
