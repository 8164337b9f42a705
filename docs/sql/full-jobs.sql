-- psql -f docs/sql/full-jobs.sql \
--   -v configs='{"{\"catalogId\":\"c1\",\"productIds\":[\"p1\",\"p2\"]}","{\"catalogId\":\"c1\",\"productIds\":[\"p1\",\"p2\"]}"}' \
--   -v field='productIds' \
--   -v keys='{"c1","c1"}' \
--   -v max_payload_bytes='16777216' \
--   -v type='PRICE_REFRESH'
WITH RECURSIVE
  folded(merge_key, config, n, n_of, requests) AS (
    SELECT
      merge_key,
      config,
      row_number() OVER (
        PARTITION BY merge_key
        ORDER BY n
      ),
      count(*) OVER (PARTITION BY merge_key),
      count(*) OVER (PARTITION BY merge_key)
    FROM unnest(cast(
      :'keys'
      AS varchar[]
    ), cast(
      :'configs'
      AS jsonb[]
    )) WITH ORDINALITY AS requests (merge_key, config, n)
    UNION ALL
    SELECT
      merge_key,
      CASE
        WHEN next_config IS NULL THEN config
        ELSE jsonb_set_lax(
          (config || next_config),
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
                (config->:'field') AS older,
                (next_config->:'field') AS newer
              OFFSET 0 ROWS
            ) AS merging
          ),
          TRUE,
          'return_target'
        )
      END,
      ((n + 1) / 2),
      ((n_of + 1) / 2),
      requests
    FROM (
      SELECT
        merge_key,
        config,
        lead(config) OVER (
          PARTITION BY merge_key
          ORDER BY n
        ) AS next_config,
        n,
        n_of,
        requests
      FROM folded
      WHERE n_of > 1
    ) AS neighbours
    WHERE mod(n, 2) = 1
  )
SELECT merge_key
FROM (
  SELECT folded.merge_key
  FROM folded
    LEFT OUTER JOIN tributary.jobs AS full_jobs
      ON (
        full_jobs.type = :'type'
        AND full_jobs.merge_key = folded.merge_key
        AND full_jobs.status = 'PENDING'
      )
  WHERE (
    folded.n_of = 1
    AND (
      CASE
        WHEN (octet_length(cast(full_jobs.config AS text)) + octet_length(cast(folded.config AS text))) > :'max_payload_bytes' THEN (octet_length(cast(
          jsonb_set_lax(
            (full_jobs.config || folded.config),
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
                  (folded.config->:'field') AS newer
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
      OR (
        full_jobs.id IS NULL
        AND folded.requests > 1
        AND octet_length(cast(folded.config AS text)) > :'max_payload_bytes'
      )
    )
  )
) AS full_keys
ORDER BY merge_key;
