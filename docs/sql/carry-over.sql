-- psql -f docs/sql/carry-over.sql \
--   -v delay_seconds='30.0' \
--   -v field='productIds' \
--   -v id='1' \
--   -v reason='queue full' \
--   -v token='00000000-0000-0000-0000-000000000001'
WITH
  running AS (
    SELECT
      tributary.jobs.id,
      tributary.jobs.type,
      tributary.jobs.merge_key,
      tributary.jobs.config,
      tributary.jobs.priority,
      tributary.jobs.attempts AS attempts,
      tributary.jobs.max_attempts,
      (tributary.jobs.merge_count + 1) AS merge_count,
      tributary.jobs.first_enqueued_at,
      (statement_timestamp() + (cast('1 second' AS interval) * cast(:'delay_seconds' AS double precision))) AS run_at,
      :'reason' AS last_error
    FROM tributary.jobs
    WHERE (
      tributary.jobs.id = :'id'
      AND tributary.jobs.status = 'RUNNING'
      AND tributary.jobs.lock_token = cast(:'token' AS uuid)
    )
    FOR NO KEY UPDATE
  ),
  carried AS (
    INSERT INTO tributary.jobs (
      type,
      merge_key,
      config,
      priority,
      attempts,
      max_attempts,
      merge_count,
      first_enqueued_at,
      run_at,
      last_error
    )
    SELECT
      running.type,
      running.merge_key,
      running.config,
      running.priority,
      running.attempts,
      running.max_attempts,
      running.merge_count,
      running.first_enqueued_at,
      running.run_at,
      running.last_error
    FROM running
    ON CONFLICT (type, merge_key)
    WHERE status = 'PENDING'
    DO UPDATE
    SET
      config = jsonb_set_lax(
        (excluded.config || tributary.jobs.config),
        ARRAY[:'field'],
        (
          SELECT (CASE
            WHEN jsonb_typeof(merging.older) = 'array' THEN merging.older
            WHEN jsonb_typeof(merging.older) <> 'null' THEN jsonb_build_array(merging.older)
            ELSE cast('[]' AS jsonb)
          END || coalesce(
            (
              SELECT jsonb_agg(added.value ORDER BY added.n)
              FROM (
                SELECT DISTINCT ON (offered.value) offered.value, offered.n
                FROM jsonb_array_elements(CASE
                  WHEN jsonb_typeof(merging.newer) = 'array' THEN merging.newer
                  WHEN jsonb_typeof(merging.newer) <> 'null' THEN jsonb_build_array(merging.newer)
                  ELSE cast('[]' AS jsonb)
                END) WITH ORDINALITY AS offered (value, n)
                WHERE (NOT EXISTS (
                  SELECT 1 AS one
                  FROM jsonb_array_elements(CASE
                    WHEN jsonb_typeof(merging.older) = 'array' THEN merging.older
                    WHEN jsonb_typeof(merging.older) <> 'null' THEN jsonb_build_array(merging.older)
                    ELSE cast('[]' AS jsonb)
                  END) WITH ORDINALITY AS known (value, n)
                  WHERE known.value = offered.value
                ))
                ORDER BY offered.value, offered.n
              ) AS added
            ),
            cast('[]' AS jsonb)
          ))
          FROM (
            SELECT
              (excluded.config->:'field') AS older,
              (tributary.jobs.config->:'field') AS newer
            OFFSET 0 ROWS
          ) AS merging
        ),
        TRUE,
        'return_target'
      ),
      priority = greatest(tributary.jobs.priority, excluded.priority),
      attempts = greatest(tributary.jobs.attempts, excluded.attempts),
      run_at = CASE
        WHEN greatest(tributary.jobs.attempts, excluded.attempts) > 0 THEN greatest(tributary.jobs.run_at, excluded.run_at)
        ELSE least(tributary.jobs.run_at, excluded.run_at)
      END,
      last_error = excluded.last_error,
      merge_count = (tributary.jobs.merge_count + excluded.merge_count),
      first_enqueued_at = least(tributary.jobs.first_enqueued_at, excluded.first_enqueued_at),
      updated_at = statement_timestamp()
    RETURNING tributary.jobs.id
  )
UPDATE tributary.jobs
SET
  status = 'COMPLETED',
  updated_at = statement_timestamp(),
  lock_token = cast(NULL AS uuid),
  lease_until = NULL,
  finished_at = statement_timestamp(),
  duration_ms = cast(
    ((date_part(
      'epoch',
      statement_timestamp()
    ) - date_part('epoch', tributary.jobs.started_at)) * 1000)
    AS bigint
  ),
  merged_into_job_id = carried.id,
  result = jsonb_build_object(
    'reason', cast(:'reason' AS varchar),
    'mergedIntoJobId', carried.id,
    'carriedOver', cast(TRUE AS boolean)
  )
FROM carried
WHERE tributary.jobs.id = (
  SELECT running.id
  FROM running
)
RETURNING carried.id;
