-- Versions, schemas and ends of records, the feed of their changes, lists of lines, sets of due times. Records of
-- before have version 1; the first change of a kind is number 2.

ALTER TABLE records ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE records ADD COLUMN schema INTEGER NOT NULL DEFAULT 1;
ALTER TABLE records ADD COLUMN ends INTEGER;
CREATE INDEX records_ends ON records (ends) WHERE ends IS NOT NULL;
CREATE TABLE record_kinds (
    kind TEXT PRIMARY KEY,
    last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE changes (
    kind TEXT NOT NULL,
    number INTEGER NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (kind, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE lines (
    name TEXT NOT NULL,
    number INTEGER NOT NULL,
    line BLOB NOT NULL,
    PRIMARY KEY (name, number)
) STRICT;
CREATE TABLE due (
    name TEXT NOT NULL,
    key TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (name, key)
) STRICT;
CREATE INDEX due_times ON due (name, at, key);
