-- A table of a name that the library has too.
CREATE TABLE jobs (id bigint PRIMARY KEY);
