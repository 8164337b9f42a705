-- Rows that the walk of a cursor has gone past because they could not be written; the daemon tries each again with every run.
-- To give one up, delete its row here.
CREATE TABLE batch_set_aside (
    name         text        NOT NULL REFERENCES batch_cursors (name) ON DELETE CASCADE,
    place        text[]      NOT NULL,
    error        text        NOT NULL,
    set_aside_at timestamptz NOT NULL DEFAULT statement_timestamp(),
    PRIMARY KEY (name, place)
);
