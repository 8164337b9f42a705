-- psql -f docs/sql/waiting.sql
SELECT cast(
  count(*)
  AS bigint
)
FROM tributary.jobs
WHERE tributary.jobs.priority < 5;
