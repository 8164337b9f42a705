-- How far a batch daemon has come that walks by a keyset. A place is the text form of each column of the keyset. The position
-- is NULL before the first row; sweep_end is the last row of the sweep that a repeating daemon is in.
CREATE TABLE batch_cursors (
    name       text        PRIMARY KEY CHECK (octet_length(name) BETWEEN 1 AND 1024),
    keyset     text[]      NOT NULL,
    position   text[],
    sweep_end  text[],
    done       bigint      NOT NULL DEFAULT 0 CHECK (done >= 0),
    updated_at timestamptz NOT NULL DEFAULT statement_timestamp(),
    CHECK (cardinality(position) = cardinality(keyset)),
    CHECK (cardinality(sweep_end) = cardinality(keyset))
);
