-- psql -f docs/sql/cursor-last.sql
SELECT
  cast(tributary.events.received_at AS varchar) AS tributary_place_1,
  cast(tributary.events.business_key AS varchar) AS tributary_place_2
FROM tributary.events
ORDER BY tributary.events.received_at DESC, tributary.events.business_key DESC
FETCH NEXT 1 ROWS ONLY;
