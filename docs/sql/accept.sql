-- psql -f docs/sql/accept.sql \
--   -v keys='{"evt-1","evt-2"}' \
--   -v payloads='{"{\"catalogId\":\"c1\",\"productIds\":[\"p1\",\"p2\"]}","{\"catalogId\":\"c1\",\"productIds\":[\"p1\",\"p2\"]}"}'
INSERT INTO tributary.events (business_key, payload)
SELECT given.business_key, given.payload
FROM unnest(cast(
  :'keys'
  AS varchar[]
), cast(
  :'payloads'
  AS jsonb[]
)) WITH ORDINALITY AS given (business_key, payload, n)
ORDER BY ((given.business_key) COLLATE "C")
ON CONFLICT (business_key)
DO NOTHING
RETURNING tributary.events.business_key;
