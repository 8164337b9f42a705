-- psql -f docs/sql/cursor-row.sql \
--   -v place_1='1970-01-01 00:00:00+00' \
--   -v place_2='evt-1'
SELECT
  tributary.events.business_key AS tributary_key_1,
  tributary.events.received_at AS tributary_sort,
  cast(tributary.events.received_at AS varchar) AS tributary_place_1,
  cast(tributary.events.business_key AS varchar) AS tributary_place_2
FROM tributary.events
WHERE (tributary.events.received_at, tributary.events.business_key) = (:'place_1', :'place_2')
ORDER BY tributary.events.received_at, tributary.events.business_key
FETCH NEXT 1 ROWS ONLY;
