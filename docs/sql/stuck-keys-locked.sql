-- psql -f docs/sql/stuck-keys-locked.sql \
--   -v limit='5'
SELECT tributary.jobs.id AS tributary_key_1
FROM tributary.jobs
WHERE tributary.jobs.priority < 5
ORDER BY tributary.jobs.id
FETCH NEXT :'limit' ROWS ONLY
FOR UPDATE NOWAIT;
