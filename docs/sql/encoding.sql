-- psql -f docs/sql/encoding.sql
SELECT
  current_database(),
  getdatabaseencoding();
