-- psql -f docs/sql/batch-rows.sql \
--   -v keys_1='{"41"}'
SELECT
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
FROM
  tributary.jobs,
  unnest(cast(
    :'keys_1'
    AS bigint[]
  )) AS tributary_batch (tributary_key_1)
WHERE (
  tributary.jobs.id = tributary_batch.tributary_key_1
  AND tributary.jobs.priority < 5
)
ORDER BY tributary.jobs.id;
