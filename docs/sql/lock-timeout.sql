-- psql -f docs/sql/lock-timeout.sql \
--   -v lock_timeout='60000ms'
SELECT set_config('lock_timeout', :'lock_timeout', TRUE);
