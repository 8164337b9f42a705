-- psql -f docs/sql/cursor-reset.sql \
--   -v name='walk'
DELETE FROM tributary.batch_cursors
WHERE tributary.batch_cursors.name = :'name';
