-- psql -f docs/sql/full-jobs.sql \
--   -v keys='{"c1","c1"}' \
--   -v max_payload_bytes='16777216' \
--   -v type='PRICE_REFRESH'
SELECT full_jobs.merge_key
FROM tributary.jobs AS full_jobs
WHERE (
  full_jobs.type = :'type'
  AND full_jobs.merge_key = ANY (
    cast(
      :'keys'
      AS varchar[]
    )
  )
  AND full_jobs.status = 'PENDING'
  AND pg_column_size(full_jobs.config) >= :'max_payload_bytes'
);
