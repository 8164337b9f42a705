-- psql -f docs/sql/lock-keys.sql \
--   -v keys='{"evt-1","evt-2"}' \
--   -v namespace='tributary.events'
WITH
  ordered AS MATERIALIZED (
    SELECT DISTINCT hashtextextended(
      given.business_key,
      hashtextextended(:'namespace', 0)
    ) AS lock
    FROM UNNEST(cast(
      :'keys'
      AS varchar[]
    )) AS given (business_key)
    ORDER BY lock
  )
SELECT count(pg_advisory_xact_lock(lock))
FROM ordered;
