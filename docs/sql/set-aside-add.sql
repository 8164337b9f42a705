-- psql -f docs/sql/set-aside-add.sql \
--   -v error='22012 division by zero' \
--   -v name='walk' \
--   -v place='{"1970-01-01 00:00:00+00","evt-1"}'
INSERT INTO tributary.batch_set_aside (name, place, error)
VALUES (
  :'name', 
  cast(
    :'place'
    AS text[]
  ), 
  :'error'
)
ON CONFLICT (name, place)
DO NOTHING;
