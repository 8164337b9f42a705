-- The inbox: one row an event that was accepted.
CREATE TABLE events (
    -- Compared byte by byte: an upgrade of the system's collations cannot damage the index that keeps events unique.
    business_key text        COLLATE "C" PRIMARY KEY,
    payload      jsonb       NOT NULL,
    received_at  timestamptz NOT NULL DEFAULT statement_timestamp(),

    CONSTRAINT events_business_key_length CHECK (octet_length(business_key) BETWEEN 1 AND 1024)
);

COMMENT ON TABLE  events              IS 'Events that the inbox has accepted, each once';
COMMENT ON COLUMN events.business_key IS 'What names the event at its sender; a second event of it is a duplicate';
COMMENT ON COLUMN events.payload      IS 'The event as it was first delivered, any JSON';
COMMENT ON COLUMN events.received_at  IS 'When it was accepted';
