-- For deleting what has ended: whether a job is one that others were merged into, and which events are old.
CREATE INDEX jobs_merged_into ON jobs (merged_into_job_id) WHERE merged_into_job_id IS NOT NULL;
CREATE INDEX events_received  ON events (received_at);
