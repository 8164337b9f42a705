-- psql -f docs/sql/renew-all.sql \
--   -v ids='{"1","2"}' \
--   -v lease_seconds='60.0' \
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
    FOR NO KEY UPDATE OF jobs SKIP LOCKED
  ),
  renewed AS (
    UPDATE tributary.jobs
    SET
      lease_until = (statement_timestamp() + (cast('1 second' AS interval) * cast(:'lease_seconds' AS double precision))),
      updated_at = statement_timestamp()
    FROM held
    WHERE tributary.jobs.id = held.id
    RETURNING tributary.jobs.id
  )
SELECT tributary.jobs.lock_token
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
    );
