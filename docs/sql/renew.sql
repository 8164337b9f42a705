-- psql -f docs/sql/renew.sql \
--   -v id='1' \
--   -v lease_seconds='60.0' \
--   -v token='00000000-0000-0000-0000-000000000001'
UPDATE tributary.jobs
SET
  lease_until = (statement_timestamp() + (cast('1 second' AS interval) * cast(:'lease_seconds' AS double precision))),
  updated_at = statement_timestamp()
WHERE (
  tributary.jobs.id = :'id'
  AND tributary.jobs.status = 'RUNNING'
  AND tributary.jobs.lock_token = cast(:'token' AS uuid)
);
