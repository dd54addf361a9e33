"""Records, lines and due times as SQL, each on an open connection inside the caller's transaction.

`now`: milliseconds of Unix time, by which records expire.
"""

import math
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from server.store import port
from server.store.sqlite.checksum import checksum

SWEPT = 16
"""Expired records that are deleted with every batch, beside as many as it puts."""
FORMER_VERSION = 4
"""Last version of the file whose records have neither versions nor an end."""

_LIVING = "(ends IS NULL OR ends > ?)"


def put_records(db: sqlite3.Connection, records: Sequence[port.StoredRecord], now: int) -> list[int]:
    _sweep(db, now, SWEPT + len(records))
    for record in records:
        _check(db, record, now)
    return [_put(db, record, now) for record in records]


def _check(db: sqlite3.Connection, record: port.StoredRecord, now: int) -> None:
    version, schema = _form(db, record.kind, record.key, now)
    if schema > record.schema:
        raise port.RecordTooNew(record.kind, record.key, schema, record.schema)
    if record.expected not in (None, version):
        raise port.RecordConflict(record.kind, record.key, record.expected, version)


def _put(db: sqlite3.Connection, record: port.StoredRecord, now: int) -> int:
    kind, key, data = record.kind, record.key, record.data
    version = _changed(db, kind, key)
    ends = None if record.seconds is None else now + math.ceil(record.seconds * 1000)
    db.execute(
        "REPLACE INTO records (kind, key, data, sum, version, schema, ends) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (kind, key, data, checksum(kind, key, data), version, record.schema, ends),
    )
    return version


def _changed(db: sqlite3.Connection, kind: str, key: str) -> int:
    """Note that a record changes, and return the number of the change."""
    number = int(
        db.execute(
            "INSERT INTO record_kinds VALUES (?, 2) ON CONFLICT (kind) DO UPDATE SET last = last + 1 RETURNING last",
            (kind,),
        ).fetchone()[0]
    )
    db.execute("INSERT INTO changes VALUES (?, ?, ?)", (kind, number, key))
    db.execute("DELETE FROM changes WHERE kind = ? AND number <= ?", (kind, number - port.KEPT_CHANGES))
    return number


def _form(db: sqlite3.Connection, kind: str, key: str, now: int) -> tuple[int, int]:
    """Return version and schema of a record; zeros where there is none."""
    row = db.execute(
        f"SELECT version, schema FROM records WHERE kind = ? AND key = ? AND {_LIVING}", (kind, key, now)
    ).fetchone()
    return (0, 0) if row is None else (row[0], row[1])


def _sweep(db: sqlite3.Connection, now: int, most: int) -> None:
    db.execute(
        "DELETE FROM records WHERE rowid IN (SELECT rowid FROM records WHERE ends <= ? ORDER BY ends LIMIT ?)",
        (now, most),
    )


def delete_record(db: sqlite3.Connection, kind: str, key: str, schema: int, now: int) -> None:
    version, found = _form(db, kind, key, now)
    if found > schema:
        raise port.RecordTooNew(kind, key, found, schema)
    if version:
        db.execute("DELETE FROM records WHERE kind = ? AND key = ?", (kind, key))
        _changed(db, kind, key)


def find_record(db: sqlite3.Connection, kind: str, key: str, now: int) -> port.KeptRecord | None:
    row = db.execute(
        f"SELECT key, data, version, schema FROM records WHERE kind = ? AND key = ? AND {_LIVING}", (kind, key, now)
    ).fetchone()
    return None if row is None else port.KeptRecord(*row)


def page(db: sqlite3.Connection, kind: str, after: str | None, limit: int, now: int) -> list[port.KeptRecord]:
    rows = db.execute(
        f"SELECT key, data, version, schema FROM records WHERE kind = ? AND key > ? AND {_LIVING} ORDER BY key LIMIT ?",
        (kind, after or "", now, limit),
    )
    return [port.KeptRecord(*row) for row in rows]


def former_page(db: sqlite3.Connection, kind: str, after: str | None, limit: int) -> list[port.KeptRecord]:
    """Return a page of a file of FORMER_VERSION or before."""
    rows = db.execute(
        "SELECT key, data FROM records WHERE kind = ? AND key > ? ORDER BY key LIMIT ?", (kind, after or "", limit)
    )
    return [port.KeptRecord(key, data, 1, 1) for key, data in rows]


def kinds(db: sqlite3.Connection, now: int) -> list[str]:
    return [kind for (kind,) in db.execute(f"SELECT DISTINCT kind FROM records WHERE {_LIVING} ORDER BY kind", (now,))]


def former_kinds(db: sqlite3.Connection) -> list[str]:
    """Return the kinds in a file of FORMER_VERSION or before."""
    return [kind for (kind,) in db.execute("SELECT DISTINCT kind FROM records ORDER BY kind")]


def changes(db: sqlite3.Connection, kind: str, after: int, limit: int) -> list[port.RecordChange] | port.Trimmed:
    row = db.execute("SELECT last FROM record_kinds WHERE kind = ?", (kind,)).fetchone()
    last = 1 if row is None else int(row[0])
    if after == last:
        return []
    rows = db.execute(
        "SELECT number, key FROM changes WHERE kind = ? AND number > ? ORDER BY number LIMIT ?", (kind, after, limit)
    )
    found = [port.RecordChange(*row) for row in rows]
    return found if found and found[0].number == after + 1 else port.Trimmed(last)


def append_line(db: sqlite3.Connection, name: str, line: bytes, keep: int) -> int:
    number = int(
        db.execute(
            "INSERT INTO lines SELECT ?, coalesce(max(number), 0) + 1, ? FROM lines WHERE name = ? RETURNING number",
            (name, line, name),
        ).fetchone()[0]
    )
    db.execute("DELETE FROM lines WHERE name = ? AND number <= ?", (name, number - keep))
    return number


def newest_lines(db: sqlite3.Connection, name: str, most: int) -> list[port.Line]:
    rows = db.execute("SELECT number, line FROM lines WHERE name = ? ORDER BY number DESC LIMIT ?", (name, most))
    return [port.Line(*row) for row in rows][::-1]


def delete_lines(db: sqlite3.Connection, name: str) -> None:
    db.execute("DELETE FROM lines WHERE name = ?", (name,))


def put_due(db: sqlite3.Connection, name: str, times: Mapping[str, int]) -> None:
    rows: Iterable[tuple[str, str, int]] = [(name, key, at) for key, at in times.items()]
    db.executemany("REPLACE INTO due VALUES (?, ?, ?)", rows)


def drop_due(db: sqlite3.Connection, name: str, key: str) -> None:
    db.execute("DELETE FROM due WHERE name = ? AND key = ?", (name, key))


def take_due(db: sqlite3.Connection, name: str, until: int, most: int) -> list[port.DueTime]:
    rows = db.execute(
        "SELECT key, at FROM due WHERE name = ? AND at <= ? ORDER BY at, key LIMIT ?", (name, until, most)
    )
    found = [port.DueTime(*row) for row in rows]
    db.executemany("DELETE FROM due WHERE name = ? AND key = ?", [(name, key) for key, _ in found])
    return found
