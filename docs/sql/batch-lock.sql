-- psql -f docs/sql/batch-lock.sql \
--   -v after_1='1970-01-01T00:00:00Z' \
--   -v after_2='41'
SELECT
  tributary.jobs.created_at AS tributary_key_1,
  tributary.jobs.id AS tributary_key_2
FROM tributary.jobs
WHERE (
  tributary.jobs.last_error IS NOT NULL
  AND (tributary.jobs.created_at, tributary.jobs.id) > (cast(:'after_1' AS timestamp with time zone), :'after_2')
)
ORDER BY tributary.jobs.created_at, tributary.jobs.id
FETCH NEXT 100 ROWS ONLY
FOR UPDATE SKIP LOCKED;
