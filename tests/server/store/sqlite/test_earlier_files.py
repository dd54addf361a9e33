"""Files of earlier versions: brought up to date with all that is in them, whatever it is, or left as they were."""

import sqlite3
import zlib
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from protocol.ids import MatchId
from server.store.port import (
    Appended,
    Conflict,
    Duplicate,
    Fence,
    MatchSnapshot,
    SealedAnswer,
    StoreDamaged,
    StoreUnavailable,
)
from server.store.sqlite.data_file import MIGRATIONS
from server.store.sqlite.reader import SqliteReader
from server.store.sqlite.store import SqliteStore
from tests.support.doubles.disk import no_file_grows_beyond
from tests.support.doubles.store_contract import cause, steps

MATCH = MatchId("a")
MATCH_C = MatchId("c")

NOBODY_KNOWS = 99
"""The number of a match that is not there."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "eschaton.db"


def query(path: Path, statement: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as other:
        return other.execute(statement).fetchall()


def former_sum(*values: object) -> int:
    """Return the checksum of version 3, which does not cover the match."""
    return zlib.crc32(b"".join(value if isinstance(value, bytes) else str(value).encode() for value in values))


def write_former(path: Path, rows: Sequence[tuple[int, int, bytes, bytes, int | None]]) -> None:
    """Write a file of version 3 with the matches a, b and c, with steps in the given order."""
    with closing(sqlite3.connect(path)) as former:
        for version, script in enumerate(MIGRATIONS[:3], start=1):
            former.executescript(f"BEGIN; {script}; PRAGMA user_version = {version}; COMMIT")
        former.executemany("INSERT INTO matches VALUES (?, ?, 7, x'0011')", enumerate("abc", start=1))
        former.executemany("INSERT INTO steps VALUES (?, ?, ?, ?, ?)", rows)
        answer = ("q", 2, cause(50), b"answer")
        former.execute("INSERT INTO sealed VALUES (1, ?, ?, ?, ?, ?)", (*answer, former_sum(*answer)))
        former.execute("INSERT INTO snapshots VALUES (1, 2, x'AA', ?)", (former_sum(2, b"\xaa"),))
        former.commit()


def former_row(match: int, version: int, step: bytes = b"step") -> tuple[int, int, bytes, bytes, int]:
    return match, version, cause(version), step, former_sum(version, cause(version), step)


FORMER = [
    former_row(1, 1),
    former_row(2, 1),
    former_row(1, 2),
    (3, 1, cause(1), b"step", None),  # older still
    (2, 2, cause(2), b"stop", former_sum(2, cause(2), b"step")),  # a bit of it has changed
    former_row(3, 3),  # the second is gone
    former_row(1, 3),
    former_row(NOBODY_KNOWS, 1),
]


async def test_the_steps_of_a_former_file_are_carried_over_as_they_are(path: Path) -> None:
    write_former(path, FORMER)
    store = SqliteStore(path)
    assert await store.matches() == ["a", "b", "c"]
    assert await store.read(MATCH) == steps(1, 2, 3)
    assert await store.read(MATCH_C) == steps(1, 3)
    with pytest.raises(StoreDamaged, match="The step 2 of match b is not as it was written"):
        await store.read(MatchId("b"))
    assert [await store.version(match) for match in map(MatchId, "abc")] == [3, 2, 3]
    assert await store.find(MATCH_C, cause(3)) == 3
    fence = Fence(7, b"\x00\x11")
    assert await store.append(MATCH_C, fence, cause(3), 0, b"step") == Duplicate(3)
    assert await store.append(MATCH, fence, cause(9), 2, b"step") == Conflict(3)
    assert await store.append(MATCH, fence, cause(4), 3, b"step", closes="p") == Appended(4)
    assert await store.sealed(MATCH) == [SealedAnswer("q", 2, cause(50), b"answer")]
    assert await store.snapshot(MATCH) == MatchSnapshot(2, b"\xaa")
    await store.close()
    order = query(path, "SELECT match, version FROM steps ORDER BY id")
    assert order == [*[row[:2] for row in FORMER], (1, 4)]
    assert query(path, "SELECT name FROM sqlite_schema WHERE tbl_name IN ('steps', 'journal')") == [("steps",)]
    store = SqliteStore(path)
    assert await store.read(MATCH, after=2) == steps(3, 4)
    await store.close()


async def test_a_former_file_is_read_without_being_changed(path: Path) -> None:
    write_former(path, FORMER)
    before = path.read_bytes()
    reader = SqliteReader(path)
    assert await reader.matches() == ["a", "b", "c"]
    assert await reader.read(MATCH) == steps(1, 2, 3)
    assert await reader.read(MATCH, after=2) == steps(3)
    assert reader.problems() == [f"1 steps are of a match that is not there (number {NOBODY_KNOWS})"]
    assert reader.counts() == (4, len(FORMER))
    await reader.close()
    assert path.read_bytes() == before


async def test_a_former_file_that_cannot_be_carried_over_is_left_as_it_was(path: Path) -> None:
    write_former(path, [former_row(1, version, bytes(4_000)) for version in range(1, 100)])
    before = query(path, "SELECT * FROM steps")
    with no_file_grows_beyond(200_000), pytest.raises(StoreUnavailable, match="nothing was stored"):
        SqliteStore(path)
    assert (query(path, "PRAGMA user_version"), query(path, "SELECT * FROM steps")) == ([(3,)], before)
    store = SqliteStore(path)
    assert await store.version(MATCH) == 99
    await store.close()
