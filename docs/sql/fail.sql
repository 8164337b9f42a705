-- psql -f docs/sql/fail.sql \
--   -v error='no such catalogue' \
--   -v id='1' \
--   -v token='00000000-0000-0000-0000-000000000001'
UPDATE tributary.jobs
SET
  status = 'FAILED',
  updated_at = statement_timestamp(),
  lock_token = cast(NULL AS uuid),
  lease_until = NULL,
  finished_at = statement_timestamp(),
  duration_ms = cast(
    ((date_part(
      'epoch',
      statement_timestamp()
    ) - date_part('epoch', tributary.jobs.started_at)) * 1000)
    AS bigint
  ),
  last_error = :'error'
WHERE (
  tributary.jobs.id = :'id'
  AND tributary.jobs.status = 'RUNNING'
  AND tributary.jobs.lock_token = cast(:'token' AS uuid)
);
