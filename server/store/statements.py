"""The store's operations as SQL, each on an open connection inside the caller's transaction.

Every row carries a checksum of itself: disks and memory do flip bits, and SQLite would not notice. Rows of a match are
compared when they are read; records, each of which concerns others too, by `damages` only.
"""

import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

from server.marks import Mark
from server.store.port import (
    Appended,
    AppendResult,
    Conflict,
    Duplicate,
    Fence,
    Fenced,
    Record,
    Sealed,
    SealedAnswer,
    SealResult,
    Snapshot,
    StoreDamaged,
    StoredStep,
    fresh_nonce,
)

_ID = "(SELECT id FROM matches WHERE name = ?)"


def raise_fence(db: sqlite3.Connection, match: str) -> Fence:
    row = db.execute(
        "INSERT INTO matches (name, fence, nonce) VALUES (?, 1, ?) ON CONFLICT (name) "
        "DO UPDATE SET fence = fence + 1, nonce = excluded.nonce RETURNING fence, nonce",
        (match, fresh_nonce()),
    ).fetchone()
    return Fence(*row)


def append(
    db: sqlite3.Connection,
    match: str,
    fence: Fence,
    cause: bytes,
    expected: int,
    step: bytes,
    closes: str | None,
    mark: Mark,
) -> AppendResult:
    number = _owned(db, match, fence)
    if isinstance(number, Fenced):
        return number
    made = db.execute("SELECT version FROM steps WHERE match = ? AND cause = ?", (number, cause)).fetchone()
    if made is not None:
        return Duplicate(made[0])
    head = _head(db, number)
    if head != expected:
        return Conflict(head)
    db.execute("INSERT INTO steps VALUES (?, ?, ?, ?, ?)", (number, head + 1, cause, step, _sum(head + 1, cause, step)))
    mark("inserted")
    if closes is not None:
        db.execute("DELETE FROM sealed WHERE match = ? AND question = ?", (number, closes))
        mark("answers-dropped")
    return Appended(head + 1)


def seal(
    db: sqlite3.Connection, match: str, fence: Fence, question: str, seat: int, cause: bytes, answer: bytes
) -> SealResult:
    number = _owned(db, match, fence)
    if isinstance(number, Fenced):
        return number
    row = (question, seat, cause, answer)
    db.execute("REPLACE INTO sealed VALUES (?, ?, ?, ?, ?, ?)", (number, *row, _sum(*row)))
    return Sealed()


def sealed(db: sqlite3.Connection, match: str) -> list[SealedAnswer]:
    rows = db.execute(
        f"SELECT question, seat, cause, answer, sum FROM sealed WHERE match = {_ID} ORDER BY question, seat", (match,)
    )
    return [SealedAnswer(*_whole(row, "answer", match)) for row in rows]


def read(db: sqlite3.Connection, match: str, after: int) -> list[StoredStep]:
    rows = db.execute(
        f"SELECT version, cause, step, sum FROM steps WHERE match = {_ID} AND version > ? ORDER BY version",
        (match, after),
    )
    return [StoredStep(*_whole(row, "step", match)) for row in rows]


def version(db: sqlite3.Connection, match: str) -> int:
    row = db.execute(f"SELECT max(version) FROM steps WHERE match = {_ID}", (match,)).fetchone()
    return row[0] or 0


def find(db: sqlite3.Connection, match: str, cause: bytes) -> int | None:
    row = db.execute(f"SELECT version FROM steps WHERE match = {_ID} AND cause = ?", (match, cause)).fetchone()
    return None if row is None else int(row[0])


def put_snapshot(db: sqlite3.Connection, match: str, version: int, data: bytes) -> bool:
    row = db.execute("SELECT id FROM matches WHERE name = ?", (match,)).fetchone()
    if row is None or version > _head(db, row[0]):
        return False
    kept = db.execute(
        "INSERT INTO snapshots VALUES (?, ?, ?, ?) ON CONFLICT (match) DO UPDATE "
        "SET version = excluded.version, data = excluded.data, sum = excluded.sum WHERE excluded.version >= version",
        (row[0], version, data, _sum(version, data)),
    )
    return kept.rowcount == 1


def snapshot(db: sqlite3.Connection, match: str) -> Snapshot | None:
    row = db.execute(f"SELECT version, data, sum FROM snapshots WHERE match = {_ID}", (match,)).fetchone()
    return None if row is None else Snapshot(*_whole(row, "snapshot", match))


def delete_match(db: sqlite3.Connection, match: str) -> None:
    for table in ("steps", "sealed", "snapshots"):
        db.execute(f"DELETE FROM {table} WHERE match = {_ID}", (match,))
    db.execute("UPDATE matches SET fence = fence + 1, nonce = ? WHERE name = ?", (fresh_nonce(), match))


def matches(db: sqlite3.Connection) -> list[str]:
    rows = db.execute("SELECT name FROM matches WHERE id IN (SELECT match FROM steps) ORDER BY name")
    return [name for (name,) in rows]


def put_records(db: sqlite3.Connection, records: Iterable[Record]) -> None:
    rows = [(*record, _sum(*record)) for record in records]
    db.executemany("REPLACE INTO records VALUES (?, ?, ?, ?)", rows)


def get_record(db: sqlite3.Connection, kind: str, key: str) -> bytes | None:
    row = db.execute("SELECT data FROM records WHERE kind = ? AND key = ?", (kind, key)).fetchone()
    return None if row is None else bytes(row[0])


def records(db: sqlite3.Connection, kind: str) -> dict[str, bytes]:
    return dict(db.execute("SELECT key, data FROM records WHERE kind = ? ORDER BY key", (kind,)).fetchall())


def kinds(db: sqlite3.Connection) -> list[str]:
    return [kind for (kind,) in db.execute("SELECT DISTINCT kind FROM records ORDER BY kind")]


def delete_record(db: sqlite3.Connection, kind: str, key: str) -> None:
    db.execute("DELETE FROM records WHERE kind = ? AND key = ?", (kind, key))


def _owned(db: sqlite3.Connection, match: str, fence: Fence) -> int | Fenced:
    """The match's row id, if `fence` is its owner's."""
    row = db.execute("SELECT id, fence, nonce FROM matches WHERE name = ?", (match,)).fetchone()
    if row is None or row[1:] != fence:
        return Fenced(0 if row is None else row[1])
    return int(row[0])


def _head(db: sqlite3.Connection, number: int) -> int:
    return db.execute("SELECT max(version) FROM steps WHERE match = ?", (number,)).fetchone()[0] or 0


def damages(db: sqlite3.Connection) -> Iterator[str]:
    """Records that are not as they were written."""
    for kind, key, data, sum in db.execute("SELECT kind, key, data, sum FROM records"):
        if sum not in (None, _sum(kind, key, data)):
            yield f"the {kind} {key!r} is not as it was written"


def _whole(row: tuple[Any, ...], what: str, match: str) -> tuple[Any, ...]:
    """A row without its checksum, if it fits. Raises StoreDamaged."""
    *values, sum = row
    if sum not in (None, _sum(*values)):
        raise StoreDamaged(f"The {what} {values[0]} of match {match} is not as it was written. Restore it from a copy.")
    return tuple(values)


def _sum(*values: bytes | str | int) -> int:
    found = 0
    for value in values:
        found = zlib.crc32(value if isinstance(value, bytes) else str(value).encode(), found)
    return found
