-- psql -f docs/sql/cursor-create.sql \
--   -v keyset='{"received_at","business_key"}' \
--   -v name='walk'
INSERT INTO tributary.batch_cursors (name, keyset)
VALUES (
  :'name', 
  cast(
    :'keyset'
    AS text[]
  )
)
ON CONFLICT (name)
DO NOTHING;
