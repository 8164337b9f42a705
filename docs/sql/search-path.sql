-- psql -f docs/sql/search-path.sql \
--   -v schema='tributary'
SELECT set_config(
  'search_path',
  quote_ident(:'schema'),
  TRUE
);
