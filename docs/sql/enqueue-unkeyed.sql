-- psql -f docs/sql/enqueue-unkeyed.sql \
--   -v channel='tributary_d19875b2' \
--   -v config='{"catalogId":"c1","productIds":["p1","p2"]}' \
--   -v delay_seconds='5.0' \
--   -v max_attempts='10' \
--   -v priority='1' \
--   -v type='PRICE_REFRESH'
INSERT INTO tributary.jobs (
  type,
  config,
  priority,
  max_attempts,
  run_at
)
VALUES (
  :'type', 
  cast(:'config' AS jsonb), 
  :'priority', 
  :'max_attempts', 
  (statement_timestamp() + (cast('1 second' AS interval) * cast(:'delay_seconds' AS double precision)))
)
RETURNING 
  tributary.jobs.id,
  tributary.jobs.merge_count,
  CASE
    WHEN (
      tributary.jobs.created_at = statement_timestamp()
      AND tributary.jobs.run_at <= statement_timestamp()
    ) THEN pg_notify(:'channel', :'type')
  END;
