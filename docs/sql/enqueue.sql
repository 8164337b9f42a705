-- psql -f docs/sql/enqueue.sql \
--   -v channel='tributary_d19875b2' \
--   -v config='{"catalogId":"c1","productIds":["p1","p2"]}' \
--   -v delay_seconds='5.0' \
--   -v field='productIds' \
--   -v key='c1' \
--   -v max_attempts='10' \
--   -v max_payload_bytes='16777216' \
--   -v priority='1' \
--   -v type='PRICE_REFRESH'
INSERT INTO tributary.jobs (
  type,
  merge_key,
  config,
  priority,
  max_attempts,
  run_at
)
SELECT
  :'type',
  :'key',
  request.config,
  :'priority',
  :'max_attempts',
  (statement_timestamp() + (cast('1 second' AS interval) * cast(:'delay_seconds' AS double precision)))
FROM (
  SELECT cast(:'config' AS jsonb) AS config
  OFFSET 0 ROWS
) AS request
WHERE (NOT EXISTS (
  SELECT 1 AS one
  FROM tributary.jobs AS full_jobs
  WHERE (
    full_jobs.type = :'type'
    AND full_jobs.merge_key = :'key'
    AND full_jobs.status = 'PENDING'
    AND CASE
      WHEN (octet_length(cast(full_jobs.config AS text)) + octet_length(cast(request.config AS text))) > :'max_payload_bytes' THEN (octet_length(cast(
        jsonb_set_lax(
          (full_jobs.config || request.config),
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
                (full_jobs.config->:'field') AS older,
                (request.config->:'field') AS newer
              OFFSET 0 ROWS
            ) AS merging
          ),
          TRUE,
          'return_target'
        )
        AS text
      )) > :'max_payload_bytes')
      ELSE FALSE
    END
  )
))
ON CONFLICT (type, merge_key)
WHERE status = 'PENDING'
DO UPDATE
SET
  config = jsonb_set_lax(
    (tributary.jobs.config || excluded.config),
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
          (tributary.jobs.config->:'field') AS older,
          (excluded.config->:'field') AS newer
        OFFSET 0 ROWS
      ) AS merging
    ),
    TRUE,
    'return_target'
  ),
  priority = greatest(tributary.jobs.priority, excluded.priority),
  max_attempts = excluded.max_attempts,
  run_at = CASE
    WHEN tributary.jobs.attempts > 0 THEN tributary.jobs.run_at
    ELSE least(tributary.jobs.run_at, excluded.run_at)
  END,
  merge_count = (tributary.jobs.merge_count + excluded.merge_count + 1),
  updated_at = statement_timestamp()
RETURNING 
  tributary.jobs.id,
  tributary.jobs.merge_count,
  CASE
    WHEN (
      tributary.jobs.created_at = statement_timestamp()
      AND tributary.jobs.run_at <= statement_timestamp()
    ) THEN pg_notify(:'channel', :'type')
  END;
