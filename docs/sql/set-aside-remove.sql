-- psql -f docs/sql/set-aside-remove.sql \
--   -v name='walk' \
--   -v place='{"1970-01-01 00:00:00+00","evt-1"}'
DELETE FROM tributary.batch_set_aside
WHERE (
  tributary.batch_set_aside.name = :'name'
  AND tributary.batch_set_aside.place = cast(
    :'place'
    AS text[]
  )
);
