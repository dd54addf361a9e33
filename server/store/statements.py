"""The store's operations as SQL, each on an open connection inside the caller's transaction."""

import sqlite3
from collections.abc import Iterable

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
    db.execute("INSERT INTO steps VALUES (?, ?, ?, ?)", (number, head + 1, cause, step))
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
    db.execute("REPLACE INTO sealed VALUES (?, ?, ?, ?, ?)", (number, question, seat, cause, answer))
    return Sealed()


def sealed(db: sqlite3.Connection, match: str) -> list[SealedAnswer]:
    rows = db.execute(
        f"SELECT question, seat, cause, answer FROM sealed WHERE match = {_ID} ORDER BY question, seat", (match,)
    )
    return [SealedAnswer(*row) for row in rows]


def read(db: sqlite3.Connection, match: str, after: int) -> list[StoredStep]:
    rows = db.execute(
        f"SELECT version, cause, step FROM steps WHERE match = {_ID} AND version > ? ORDER BY version", (match, after)
    )
    return [StoredStep(*row) for row in rows]


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
        "INSERT INTO snapshots VALUES (?, ?, ?) ON CONFLICT (match) "
        "DO UPDATE SET version = excluded.version, data = excluded.data WHERE excluded.version >= version",
        (row[0], version, data),
    )
    return kept.rowcount == 1


def snapshot(db: sqlite3.Connection, match: str) -> Snapshot | None:
    row = db.execute(f"SELECT version, data FROM snapshots WHERE match = {_ID}", (match,)).fetchone()
    return None if row is None else Snapshot(*row)


def delete_match(db: sqlite3.Connection, match: str) -> None:
    for table in ("steps", "sealed", "snapshots"):
        db.execute(f"DELETE FROM {table} WHERE match = {_ID}", (match,))
    db.execute("UPDATE matches SET fence = fence + 1, nonce = ? WHERE name = ?", (fresh_nonce(), match))


def matches(db: sqlite3.Connection) -> list[str]:
    rows = db.execute("SELECT name FROM matches WHERE id IN (SELECT match FROM steps) ORDER BY name")
    return [name for (name,) in rows]


def put_records(db: sqlite3.Connection, records: Iterable[Record]) -> None:
    db.executemany("REPLACE INTO records VALUES (?, ?, ?)", records)


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
