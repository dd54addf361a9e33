"""The store's operations on matches as SQL, each on an open connection inside the caller's transaction.

Every row carries a checksum of itself. Rows of a match are compared when they are read; records, each of which concerns
others too, by `damages` only.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from protocol.ids import MatchId
from server.store import port
from server.store.sqlite.checksum import checksum
from server.store.sqlite.step_index import IndexDraft, MatchSteps, StepIndex, StepRow

_ID = "(SELECT id FROM matches WHERE name = ?)"
_LISTED = "(SELECT value FROM json_each(?))"
"""Numbers of a list that is given as text: one statement, however many they are."""


def raise_fence(db: sqlite3.Connection, match: MatchId) -> port.Fence:
    row = db.execute(
        "INSERT INTO matches (name, fence, nonce) VALUES (?, 1, ?) ON CONFLICT (name) "
        "DO UPDATE SET fence = fence + 1, nonce = excluded.nonce RETURNING fence, nonce",
        (match, port.fresh_nonce()),
    ).fetchone()
    return port.Fence(*row)


class MatchPosition(msgspec.Struct):
    """Position of a match: its row, its owner, and how many steps it has."""

    number: int
    fence: port.Fence
    version: int


def position_of(db: sqlite3.Connection, draft: IndexDraft, match: MatchId) -> MatchPosition | None:
    """Return the position of a match; None for one that was never opened."""
    row = db.execute("SELECT id, fence, nonce FROM matches WHERE name = ?", (match,)).fetchone()
    return None if row is None else MatchPosition(row[0], port.Fence(*row[1:]), draft.version(row[0]))


def step_row(row: int, number: int, version: int, cause: bytes, step: bytes) -> StepRow:
    # the match is in the sum, since no key says whose step this is
    return row, number, version, bytearray(cause), checksum(number, version, cause, step), bytearray(step)


def insert_steps(db: sqlite3.Connection, rows: Iterable[StepRow]) -> None:
    db.executemany("INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?)", rows)


def drop_answers(db: sqlite3.Connection, closed: Iterable[tuple[int, str]]) -> None:
    """Delete the sealed answers of these questions, each named with the row of its match."""
    db.executemany("DELETE FROM sealed WHERE match = ? AND question = ?", closed)


def seal(
    db: sqlite3.Connection, match: MatchId, fence: port.Fence, question: str, seat: int, cause: bytes, answer: bytes
) -> port.SealResult:
    owned = db.execute("SELECT id, fence, nonce FROM matches WHERE name = ?", (match,)).fetchone()
    if owned is None or port.Fence(*owned[1:]) != fence:
        return port.Fenced(0 if owned is None else owned[1])
    row = (question, seat, cause, answer)
    added = db.execute(
        "INSERT INTO sealed VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", (owned[0], *row, checksum(*row))
    )
    if added.rowcount == 1:
        return port.Sealed()
    kept = db.execute(
        "SELECT cause, answer FROM sealed WHERE match = ? AND question = ? AND seat = ?", (owned[0], question, seat)
    ).fetchone()
    return port.Sealed() if kept == (cause, answer) else port.AlreadySealed()


def sealed(db: sqlite3.Connection, match: MatchId) -> list[port.SealedAnswer]:
    rows = db.execute(
        f"SELECT question, seat, cause, answer, sum FROM sealed WHERE match = {_ID} ORDER BY question, seat", (match,)
    )
    return [port.SealedAnswer(*_whole(row, "answer", match)) for row in rows]


def read(db: sqlite3.Connection, index: StepIndex, match: MatchId, after: int, most: int | None) -> list[port.LogEntry]:
    number, steps = _steps(db, index, match)
    if steps is None:
        return []
    last = steps.version if most is None else after + most
    rows = db.execute(
        f"SELECT version, cause, step, sum FROM steps WHERE rowid IN {_LISTED} AND match = ? "
        "AND version BETWEEN ? AND ?",
        (str(steps.between(after, last)), number, after + 1, last),
    )
    return sorted(port.LogEntry(*_whole(row, "step", match, number)) for row in rows)


def version(db: sqlite3.Connection, index: StepIndex, match: MatchId) -> int:
    steps = _steps(db, index, match)[1]
    return 0 if steps is None else steps.version


def find(db: sqlite3.Connection, index: StepIndex, match: MatchId, cause: bytes) -> int | None:
    number, steps = _steps(db, index, match)
    row = None if steps is None else steps.row_of(cause)
    return None if row is None else version_at(db, number, row)


def version_at(db: sqlite3.Connection, number: int, row: int) -> int | None:
    """Return the version of the step in this row; None where it is no step of this match."""
    found = db.execute("SELECT version FROM steps WHERE rowid = ? AND match = ?", (row, number)).fetchone()
    return None if found is None else int(found[0])


def put_snapshot(db: sqlite3.Connection, draft: IndexDraft, match: MatchId, version: int, data: bytes) -> bool:
    row = db.execute("SELECT id FROM matches WHERE name = ?", (match,)).fetchone()
    if row is None or version > draft.version(row[0]):
        return False
    kept = db.execute(
        "INSERT INTO snapshots VALUES (?, ?, ?, ?) ON CONFLICT (match) DO UPDATE "
        "SET version = excluded.version, data = excluded.data, sum = excluded.sum WHERE excluded.version >= version",
        (row[0], version, data, checksum(version, data)),
    )
    return kept.rowcount == 1


def snapshot(db: sqlite3.Connection, match: MatchId) -> port.MatchSnapshot | None:
    row = db.execute(f"SELECT version, data, sum FROM snapshots WHERE match = {_ID}", (match,)).fetchone()
    return None if row is None else port.MatchSnapshot(*_whole(row, "snapshot", match))


def delete_match(db: sqlite3.Connection, draft: IndexDraft, match: MatchId) -> None:
    row = db.execute("SELECT id FROM matches WHERE name = ?", (match,)).fetchone()
    if row is None:
        return
    db.execute(f"DELETE FROM steps WHERE rowid IN {_LISTED}", (str(draft.rows(row[0])),))
    for table in ("sealed", "snapshots"):
        db.execute(f"DELETE FROM {table} WHERE match = ?", row)
    db.execute("UPDATE matches SET fence = fence + 1, nonce = ? WHERE id = ?", (port.fresh_nonce(), row[0]))
    draft.drop(row[0])


def matches(db: sqlite3.Connection, index: StepIndex) -> list[MatchId]:
    begun = index.numbers()
    return [name for number, name in db.execute("SELECT id, name FROM matches ORDER BY name") if number in begun]


def _steps(db: sqlite3.Connection, index: StepIndex, match: MatchId) -> tuple[int, MatchSteps | None]:
    """Return the number of a match, 0 where it was never opened, and where its steps lie."""
    row = db.execute("SELECT id FROM matches WHERE name = ?", (match,)).fetchone()
    return (0, None) if row is None else (row[0], index.steps(row[0]))


def damages(db: sqlite3.Connection) -> Iterator[str]:
    """Yield a line for records that are not as they were written, and for steps of no match."""
    lost = "SELECT match, count(*) FROM steps WHERE match NOT IN (SELECT id FROM matches) GROUP BY match"
    for number, count in db.execute(lost):
        yield f"{count} steps are of a match that is not there (number {number})"
    for kind, key, data, stored in db.execute("SELECT kind, key, data, sum FROM records"):
        if stored not in (None, checksum(kind, key, data)):
            yield f"the {kind} {key!r} is not as it was written"


def _whole(row: tuple[Any, ...], what: str, match: MatchId, *beside: int) -> tuple[Any, ...]:
    """Return a row without its checksum, which is that of the row alone or of what is `beside` it too. Raises
    StoreDamaged."""
    *values, stored = row
    if stored is not None and stored not in (checksum(*beside, *values), checksum(*values)):
        raise port.StoreDamaged(
            f"The {what} {values[0]} of match {match} is not as it was written. Restore it from a copy."
        )
    return tuple(values)
