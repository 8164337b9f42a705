-- psql -f docs/sql/cursor-move.sql \
--   -v done='100' \
--   -v name='walk' \
--   -v position='{"1970-01-01 00:00:00+00","evt-1"}' \
--   -v sweep_end='{"2026-11-30 08:30:00+00","evt-2"}'
UPDATE tributary.batch_cursors
SET
  position = cast(
    :'position'
    AS text[]
  ),
  sweep_end = cast(
    :'sweep_end'
    AS text[]
  ),
  done = (tributary.batch_cursors.done + :'done'),
  updated_at = statement_timestamp()
WHERE tributary.batch_cursors.name = :'name';
