-- Steps in the order in which they came, without an index over them (see server/store/sqlite/step_index.py). The
-- content of the rows is carried over as it is. The long column is the last, so that the others are read without it.

CREATE TABLE journal (
    id INTEGER PRIMARY KEY,
    match INTEGER NOT NULL,
    version INTEGER NOT NULL,
    cause BLOB NOT NULL,
    sum INTEGER,
    step BLOB NOT NULL
) STRICT;
INSERT INTO journal SELECT rowid, match, version, cause, sum, step FROM steps ORDER BY rowid;
DROP TABLE steps;
ALTER TABLE journal RENAME TO steps;
