-- psql -f docs/sql/cursor-lock.sql \
--   -v name='walk'
SELECT
  tributary.batch_cursors.name,
  tributary.batch_cursors.keyset,
  tributary.batch_cursors.position,
  tributary.batch_cursors.sweep_end,
  tributary.batch_cursors.done,
  tributary.batch_cursors.updated_at
FROM tributary.batch_cursors
WHERE tributary.batch_cursors.name = :'name'
FOR UPDATE SKIP LOCKED;
