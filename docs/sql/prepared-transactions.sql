-- psql -f docs/sql/prepared-transactions.sql
SELECT cast(pg_prepared_xacts.transaction AS varchar)
FROM pg_catalog.pg_prepared_xacts
WHERE pg_prepared_xacts.database = current_database();
