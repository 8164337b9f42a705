-- psql -f docs/sql/write-back.sql \
--   -v key_1='41' \
--   -v value_1='5'
UPDATE tributary.jobs
SET
  priority = :'value_1'
WHERE tributary.jobs.id = :'key_1';
