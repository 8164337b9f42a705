-- psql -f docs/sql/rescue.sql \
--   -v holder='worker-1' \
--   -v lease_seconds='60.0' \
--   -v limit='100' \
--   -v type='PRICE_REFRESH'
WITH
  expired AS (
    SELECT tributary.jobs.id
    FROM tributary.jobs
    WHERE (
      tributary.jobs.type = :'type'
      AND tributary.jobs.status = 'RUNNING'
      AND tributary.jobs.lease_until < statement_timestamp()
    )
    ORDER BY tributary.jobs.lease_until
    FETCH NEXT :'limit' ROWS ONLY
    FOR NO KEY UPDATE SKIP LOCKED
  ),
  rescued AS (
    UPDATE tributary.jobs
    SET
      status = 'RUNNING',
      updated_at = statement_timestamp(),
      lock_token = gen_random_uuid(),
      locked_by = :'holder',
      lease_until = (statement_timestamp() + (cast('1 second' AS interval) * cast(:'lease_seconds' AS double precision)))
    FROM expired
    WHERE tributary.jobs.id = expired.id
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
      tributary.jobs.duration_ms
  )
SELECT
  rescued.id,
  rescued.type,
  rescued.merge_key,
  rescued.status,
  rescued.priority,
  rescued.config,
  rescued.result,
  rescued.attempts,
  rescued.max_attempts,
  rescued.run_at,
  rescued.lock_token,
  rescued.locked_by,
  rescued.lease_until,
  rescued.last_error,
  rescued.merged_into_job_id,
  rescued.merge_count,
  rescued.first_enqueued_at,
  rescued.created_at,
  rescued.updated_at,
  rescued.started_at,
  rescued.finished_at,
  rescued.duration_ms
FROM rescued
ORDER BY rescued.merge_key, rescued.id;
