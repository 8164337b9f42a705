-- psql -f docs/sql/complete-all.sql \
--   -v ids='{"1","2"}' \
--   -v results='{"{\"catalogId\":\"c1\",\"productIds\":[\"p1\",\"p2\"]}",NULL}' \
--   -v tokens='{"00000000-0000-0000-0000-000000000001","00000000-0000-0000-0000-000000000001"}'
WITH
  held AS (
    SELECT tributary.jobs.id, tributary.jobs.lock_token, given.result
    FROM tributary.jobs
      JOIN unnest(cast(
        :'ids'
        AS bigint[]
      ), cast(
        :'tokens'
        AS uuid[]
      ), cast(
        :'results'
        AS jsonb[]
      )) AS given (id, lock_token, result)
        ON (
          tributary.jobs.id = given.id
          AND tributary.jobs.status = 'RUNNING'
          AND tributary.jobs.lock_token = given.lock_token
        )
    ORDER BY tributary.jobs.id
    FOR NO KEY UPDATE OF jobs
  )
UPDATE tributary.jobs
SET
  status = 'COMPLETED',
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
  result = held.result
FROM held
WHERE tributary.jobs.id = held.id
RETURNING held.lock_token;
