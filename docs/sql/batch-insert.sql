-- psql -f docs/sql/batch-insert.sql \
--   -v keys_1='{"1970-01-01T00:00:00Z"}' \
--   -v keys_2='{"41"}'
INSERT INTO tributary.events (business_key, payload)
SELECT tributary.jobs.merge_key, tributary.jobs.config
FROM
  tributary.jobs,
  unnest(cast(
    :'keys_1'
    AS timestamp with time zone[]
  ), cast(
    :'keys_2'
    AS bigint[]
  )) AS tributary_batch (tributary_key_1, tributary_key_2)
WHERE (
  tributary.jobs.created_at = tributary_batch.tributary_key_1
  AND tributary.jobs.id = tributary_batch.tributary_key_2
  AND tributary.jobs.last_error IS NOT NULL
)
ORDER BY tributary.jobs.created_at, tributary.jobs.id;
