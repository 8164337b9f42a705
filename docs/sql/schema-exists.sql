-- psql -f docs/sql/schema-exists.sql \
--   -v schema='tributary'
SELECT 1 AS one
FROM pg_catalog.pg_namespace
WHERE nspname = :'schema';
