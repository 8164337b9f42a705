-- psql -f docs/sql/cursor-rows.sql \
--   -v keys_1='{"evt-1"}'
SELECT tributary.events.business_key, tributary.events.payload, tributary.events.received_at
FROM
  tributary.events,
  unnest(cast(
    :'keys_1'
    AS text[]
  )) AS tributary_batch (tributary_key_1)
WHERE (
  tributary.events.business_key = tributary_batch.tributary_key_1
  AND tributary.events.payload <> cast('{}' AS jsonb)
)
ORDER BY tributary.events.received_at, tributary.events.business_key
FOR UPDATE OF events;
