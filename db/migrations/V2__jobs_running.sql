-- Whether a job of a key runs, for types whose jobs run one after the other.
CREATE INDEX jobs_running ON jobs (type, merge_key) WHERE status = 'RUNNING';
