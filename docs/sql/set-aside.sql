-- psql -f docs/sql/set-aside.sql \
--   -v name='walk'
SELECT tributary.batch_set_aside.place
FROM tributary.batch_set_aside
WHERE tributary.batch_set_aside.name = :'name'
ORDER BY tributary.batch_set_aside.set_aside_at, tributary.batch_set_aside.place;
