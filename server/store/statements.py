"""The store's operations as SQL, each on an open connection inside the caller's transaction.

Every row carries a checksum of itself: disks and memory do flip bits, and SQLite would not notice. Rows of a match are
compared when they are read; records, each of which concerns others too, by `damages` only.
"""

import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

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

StepRow = tuple[int, int, bytes, bytes, int]
"""As it lies in the table: match, version, cause, step, checksum."""

_ID = "(SELECT id FROM matches WHERE name = ?)"


def raise_fence(db: sqlite3.Connection, match: str) -> Fence:
    row = db.execute(
        "INSERT INTO matches (name, fence, nonce) VALUES (?, 1, ?) ON CONFLICT (name) "
        "DO UPDATE SET fence = fence + 1, nonce = excluded.nonce RETURNING fence, nonce",
        (match, fresh_nonce()),
    ).fetchone()
    return Fence(*row)


class Head(msgspec.Struct):
    """Where a match stands: its row, its owner, and how many steps it has."""

    number: int
    fence: Fence
    version: int


def head_of(db: sqlite3.Connection, match: str) -> Head | None:
    """None for a match that nobody ever opened."""
    row = db.execute("SELECT id, fence, nonce FROM matches WHERE name = ?", (match,)).fetchone()
    return None if row is None else Head(row[0], Fence(*row[1:]), _version(db, row[0]))


def step_row(number: int, version: int, cause: bytes, step: bytes) -> StepRow:
    return number, version, cause, step, _sum(version, cause, step)


def insert_steps(db: sqlite3.Connection, rows: Iterable[StepRow]) -> None:
    """Raises sqlite3.IntegrityError where a cause or a version is there already."""
    db.executemany("INSERT INTO steps VALUES (?, ?, ?, ?, ?)", rows)


def drop_answers(db: sqlite3.Connection, closed: Iterable[tuple[int, str]]) -> None:
    """Forget the sealed answers of these questions, each named with the row of its match."""
    db.executemany("DELETE FROM sealed WHERE match = ? AND question = ?", closed)


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
    head = _owned(db, match, fence)
    if isinstance(head, Fenced):
        return head
    made = db.execute("SELECT version FROM steps WHERE match = ? AND cause = ?", (head.number, cause)).fetchone()
    if made is not None:
        return Duplicate(made[0])
    if head.version != expected:
        return Conflict(head.version)
    insert_steps(db, [step_row(head.number, expected + 1, cause, step)])
    mark("inserted")
    if closes is not None:
        drop_answers(db, [(head.number, closes)])
        mark("answers-dropped")
    return Appended(expected + 1)


def seal(
    db: sqlite3.Connection, match: str, fence: Fence, question: str, seat: int, cause: bytes, answer: bytes
) -> SealResult:
    head = _owned(db, match, fence)
    if isinstance(head, Fenced):
        return head
    row = (question, seat, cause, answer)
    db.execute("REPLACE INTO sealed VALUES (?, ?, ?, ?, ?, ?)", (head.number, *row, _sum(*row)))
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
    if row is None or version > _version(db, row[0]):
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


def _owned(db: sqlite3.Connection, match: str, fence: Fence) -> Head | Fenced:
    """Where the match stands, if `fence` is its owner's."""
    head = head_of(db, match)
    if head is None or head.fence != fence:
        return Fenced(0 if head is None else head.fence.counter)
    return head


def _version(db: sqlite3.Connection, number: int) -> int:
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
