-- psql -f docs/sql/return-to-pending-without-key.sql \
--   -v delay_seconds='30.0' \
--   -v id='1' \
--   -v reason='queue full' \
--   -v token='00000000-0000-0000-0000-000000000001'
UPDATE tributary.jobs
SET
  status = 'PENDING',
  updated_at = statement_timestamp(),
  lock_token = cast(NULL AS uuid),
  lease_until = NULL,
  attempts = tributary.jobs.attempts,
  started_at = NULL,
  run_at = (statement_timestamp() + (cast('1 second' AS interval) * cast(:'delay_seconds' AS double precision))),
  last_error = :'reason',
  merge_key = NULL
WHERE (
  tributary.jobs.id = :'id'
  AND tributary.jobs.status = 'RUNNING'
  AND tributary.jobs.lock_token = cast(:'token' AS uuid)
);
