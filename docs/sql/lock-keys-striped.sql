-- psql -f docs/sql/lock-keys-striped.sql \
--   -v keys='{"evt-1","evt-2"}' \
--   -v namespace='tributary.events' \
--   -v stripes='64'
WITH
  ordered AS MATERIALIZED (
    SELECT DISTINCT hashtextextended(
      cast(
        abs(mod(
          hashtextextended(
            given.business_key,
            hashtextextended(:'namespace', 0)
          ),
          :'stripes'
        ))
        AS varchar
      ),
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
