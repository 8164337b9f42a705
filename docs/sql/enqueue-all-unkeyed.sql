-- psql -f docs/sql/enqueue-all-unkeyed.sql \
--   -v channel='tributary_d19875b2' \
--   -v configs='{"{\"catalogId\":\"c1\",\"productIds\":[\"p1\",\"p2\"]}","{\"catalogId\":\"c1\",\"productIds\":[\"p1\",\"p2\"]}"}' \
--   -v keys='{}' \
--   -v max_attempts='10' \
--   -v type='PRICE_REFRESH'
INSERT INTO tributary.jobs (type, config, max_attempts)
SELECT :'type', config, :'max_attempts'
FROM unnest(cast(
  :'keys'
  AS varchar[]
), cast(
  :'configs'
  AS jsonb[]
)) WITH ORDINALITY AS requests (merge_key, config, n)
ORDER BY n
RETURNING 
  tributary.jobs.id,
  CASE
    WHEN (
      tributary.jobs.created_at = statement_timestamp()
      AND tributary.jobs.run_at <= statement_timestamp()
    ) THEN pg_notify(:'channel', :'type')
  END;
