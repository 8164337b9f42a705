-- psql -f docs/sql/differing.sql \
--   -v keys='{"evt-1","evt-2"}' \
--   -v payloads='{"{\"catalogId\":\"c1\",\"productIds\":[\"p1\",\"p2\"]}","{\"catalogId\":\"c1\",\"productIds\":[\"p1\",\"p2\"]}"}'
SELECT given.n
FROM unnest(cast(
  :'keys'
  AS varchar[]
), cast(
  :'payloads'
  AS jsonb[]
)) WITH ORDINALITY AS given (business_key, payload, n)
  JOIN tributary.events
    ON tributary.events.business_key = given.business_key
WHERE tributary.events.payload <> given.payload;
