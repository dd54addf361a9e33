PRAGMA application_id = 1163084616; -- "ESCH"
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    fence INTEGER NOT NULL
) STRICT;
CREATE TABLE steps (
    match INTEGER NOT NULL REFERENCES matches (id),
    version INTEGER NOT NULL,
    cause BLOB NOT NULL CHECK (length(cause) = 16),
    step BLOB NOT NULL,
    PRIMARY KEY (match, version),
    UNIQUE (match, cause)
) STRICT;
CREATE TABLE sealed (
    match INTEGER NOT NULL REFERENCES matches (id),
    question TEXT NOT NULL,
    seat INTEGER NOT NULL,
    cause BLOB NOT NULL CHECK (length(cause) = 16),
    answer BLOB NOT NULL,
    PRIMARY KEY (match, question, seat)
) STRICT;
CREATE TABLE snapshots (
    match INTEGER PRIMARY KEY REFERENCES matches (id),
    version INTEGER NOT NULL,
    data BLOB NOT NULL
) STRICT;
CREATE TABLE records (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (kind, key)
) STRICT;
