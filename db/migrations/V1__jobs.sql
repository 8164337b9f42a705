-- The queue: one row a job. Names are unqualified: the schema is the one being migrated.
CREATE TABLE jobs (
    id                 bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    type               text        NOT NULL,
    merge_key          text,
    status             text        NOT NULL DEFAULT 'PENDING',
    priority           integer     NOT NULL DEFAULT 0,
    config             jsonb       NOT NULL,
    result             jsonb,
    attempts           integer     NOT NULL DEFAULT 0,
    max_attempts       integer     NOT NULL,
    run_at             timestamptz NOT NULL DEFAULT statement_timestamp(),
    lock_token         uuid,
    locked_by          text,
    lease_until        timestamptz,
    last_error         text,
    merged_into_job_id bigint,
    merge_count        integer     NOT NULL DEFAULT 0,
    first_enqueued_at  timestamptz NOT NULL DEFAULT statement_timestamp(),
    created_at         timestamptz NOT NULL DEFAULT statement_timestamp(),
    updated_at         timestamptz NOT NULL DEFAULT statement_timestamp(),
    started_at         timestamptz,
    finished_at        timestamptz,
    duration_ms        bigint,

    CONSTRAINT jobs_type_length      CHECK (octet_length(type) BETWEEN 1 AND 255),
    CONSTRAINT jobs_merge_key_length CHECK (octet_length(merge_key) BETWEEN 1 AND 1024),
    CONSTRAINT jobs_status_known     CHECK (status IN ('PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED')),
    CONSTRAINT jobs_config_object    CHECK (jsonb_typeof(config) = 'object'),
    CONSTRAINT jobs_counts           CHECK (attempts >= 0 AND max_attempts >= 1 AND merge_count >= 0),
    CONSTRAINT jobs_running_is_held  CHECK ((status = 'RUNNING') = (lock_token IS NOT NULL)
                                        AND (status = 'RUNNING') = (lease_until IS NOT NULL)),
    CONSTRAINT jobs_running_started  CHECK (status <> 'RUNNING' OR started_at IS NOT NULL),
    CONSTRAINT jobs_ended_finished   CHECK ((status IN ('COMPLETED', 'FAILED', 'CANCELLED')) = (finished_at IS NOT NULL)),
    CONSTRAINT jobs_merged_is_closed CHECK (merged_into_job_id IS NULL
                                         OR (status = 'COMPLETED' AND merged_into_job_id <> id))
)
-- Room on the page keeps a merge a HOT update; a queue's dead rows should be vacuumed long before 20 % of the table is dead.
WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);

-- The invariant. A null merge_key is distinct from every other, so such jobs never merge.
CREATE UNIQUE INDEX jobs_one_pending_per_key ON jobs (type, merge_key) WHERE status = 'PENDING';

CREATE INDEX jobs_due   ON jobs (type, priority DESC, run_at, id) WHERE status = 'PENDING';
CREATE INDEX jobs_lease ON jobs (type, lease_until)               WHERE status = 'RUNNING';
CREATE INDEX jobs_ended ON jobs (status, finished_at, id)         WHERE finished_at IS NOT NULL;

COMMENT ON TABLE  jobs                    IS 'Jobs of the queue; at most one PENDING row for a type and merge key';
COMMENT ON COLUMN jobs.merge_key          IS 'Work of one key flows into one PENDING job; null: never merges';
COMMENT ON COLUMN jobs.config             IS 'The payload, a JSON object';
COMMENT ON COLUMN jobs.attempts           IS 'Reservations so far, carried over by a requeue that merges';
COMMENT ON COLUMN jobs.run_at             IS 'Not reserved before';
COMMENT ON COLUMN jobs.lock_token         IS 'Names one reservation; only its holder may settle the job';
COMMENT ON COLUMN jobs.locked_by          IS 'Who reserved it last';
COMMENT ON COLUMN jobs.merged_into_job_id IS 'The job that took over the payload of this one';
COMMENT ON COLUMN jobs.merge_count        IS 'Enqueues and requeues this row absorbed';
COMMENT ON COLUMN jobs.first_enqueued_at  IS 'Earliest enqueue of all that this row absorbed';
