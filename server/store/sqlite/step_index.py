"""Index of the steps, in memory: in which rows the steps of each match lie, and which causes made them.

All steps lie in one table in the order in which they came, so that a commit writes its last page and no other. An index
in the file would be two more pages for every match that has a step in the commit. This one is made by one pass over the
table when the file is opened, and kept up by whoever appends.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterator
from typing import Final, Self

from server.store.port import CAUSE_BYTES, StoreDamaged

StepRow = tuple[int, int, int, bytearray, int, bytearray]
"""A row of the table of steps: row number, match, version, cause, checksum, step. sqlite3 looks for an adapter of every
`bytes`, which takes longer than a copy."""

MANY: Final = 1 << 63
NO_CAUSE: Final = bytes(CAUSE_BYTES)
"""Stands for a damaged cause; the checksum tells of the damage when the step is read."""
FEW: Final = 64
"""Number of causes that are searched faster than any filter could answer."""
SPARSE: Final = 8
"""Marks of a filter for each cause: it takes one foreign cause in as many for one that it may know."""


class _Filter:
    """A Bloom filter with one hash: marks by the first bytes of causes, which are random.

    A cause whose mark is not set is none of those added. A byte a mark, SPARSE to twice as many for each cause.
    """

    __slots__ = ("_last", "_marks")

    def __init__(self, causes: bytes | bytearray) -> None:
        count = len(causes) // CAUSE_BYTES
        self._last = (1 << (2 * SPARSE * count).bit_length() - 1) - 1
        self._marks = bytearray(self._last + 1)
        self.add(causes)

    def add(self, causes: bytes | bytearray) -> None:
        """Mark these causes, given one after another."""
        for at in range(0, len(causes), CAUSE_BYTES):
            self._marks[self._place(causes, at)] = 1

    def may_hold(self, cause: bytes) -> bool:
        return bool(self._marks[self._place(cause, 0)])

    def _place(self, causes: bytes | bytearray, at: int) -> int:
        """Return the place of the mark of the cause that begins at `at`."""
        return int.from_bytes(causes[at : at + 4], "big") & self._last

    def is_sparse(self, causes: int) -> bool:
        """Return True where so many causes leave most marks unset."""
        return SPARSE * causes <= self._last


class MatchSteps:
    """Rows and causes of one match's steps, in the order in which they came.

    They take 24 bytes each, 8 to 16 more where causes are looked up, and a tenth more to grow.
    """

    __slots__ = ("_causes", "_filter", "rows", "version")

    def __init__(self) -> None:
        self.rows = array("q")
        self.version = 0
        """Highest version of a step: the number of steps, where the file is whole."""
        self._causes = bytearray()
        self._filter: _Filter | None = None
        """Filter over all causes; made when one is looked up among many."""

    def add(self, row: int, version: int, cause: bytes | bytearray) -> None:
        self.rows.append(row)
        if version > self.version:
            self.version = version
        if self._filter is not None:
            self._filter.add(cause)
        # last, so that another thread that finds a cause finds its row, too
        self._causes += cause

    def may_hold(self, cause: bytes) -> bool:
        """Return False where no step was made by this cause: nearly always, and as fast in a long match as in a short
        one.

        Only the thread that changes them may call it.
        """
        if len(self.rows) <= FEW:
            return True
        if self._filter is None or not self._filter.is_sparse(len(self.rows)):
            self._filter = _Filter(self._causes)
        return self._filter.may_hold(cause)

    def row_of(self, cause: bytes) -> int | None:
        """Return the row of the step that this cause made, None where there is none."""
        at = self._causes.find(cause)
        while at > 0 and at % CAUSE_BYTES:
            at = self._causes.find(cause, at + 1)
        return None if at < 0 else self.rows[at // CAUSE_BYTES]

    def between(self, after: int, last: int) -> list[int]:
        """Return rows that include all versions behind `after` up to `last`."""
        if not self.is_gapless:  # then the place of a step does not tell its version
            return self.rows.tolist()
        return self.rows[max(after, 0) : max(last, 0)].tolist()

    @property
    def is_gapless(self) -> bool:
        return len(self.rows) == self.version


class StepIndex:
    """Durable steps of all matches, by the number of the match.

    Its methods raise StoreDamaged for a match that may have steps where the file cannot be read.

    One thread changes it, between the commit of a transaction and the answer to its caller. Others may read it at any
    time: a query that begins afterwards finds the rows that it names, or, where the match was deleted meanwhile,
    nothing, since no row number is given twice as long as the index lives.
    """

    def __init__(self) -> None:
        self.last = 0
        """Highest row number."""
        self._matches: dict[int, MatchSteps] = {}
        self._sound: set[int] | None = None
        self._newest = 0

    @classmethod
    def of(cls, db: sqlite3.Connection) -> Self:
        """Make the index by a pass over the whole file: 2 us a step. Raises sqlite3.Error, but not for damage."""
        index = cls()
        try:
            for row in _rows(db, "ASC"):
                index._note(*row)
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            index._read_behind_damage(db)
        return index

    def steps(self, number: int) -> MatchSteps | None:
        """Return the steps of a match, None where there are none."""
        if self._sound is not None and number <= self._newest and number not in self._sound:
            raise StoreDamaged("The file is damaged where steps of this match may lie. Restore it from a copy.")
        return self._matches.get(number)

    def numbers(self) -> set[int]:
        """Return the numbers of the matches that have steps."""
        return set(self._matches)

    def add(self, number: int, row: int, version: int, cause: bytes | bytearray) -> None:
        steps = self._matches.get(number)
        if steps is None:
            steps = self._matches[number] = MatchSteps()
        steps.add(row, version, cause)

    def drop(self, number: int) -> None:
        self._matches.pop(number, None)

    def _note(self, row: int, number: int, version: int, cause: bytes) -> None:
        self.last = row
        self.add(number, row, version, cause)

    def _read_behind_damage(self, db: sqlite3.Connection) -> None:
        """Read what lies behind damage, from the end of the table.

        Sound are the matches that go on there and whose versions have no gap: none of their steps is lost.
        """
        behind: list[tuple[int, int, int, bytes]] = []
        try:
            for row in _rows(db, "DESC"):
                if row[0] <= self.last:
                    break
                behind.append(row)
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
        for row in reversed(behind):
            self._note(*row)
        gone_on = {row[1] for row in behind}
        self._sound = {number for number in gone_on if self._matches[number].is_gapless}
        try:
            self._newest = db.execute("SELECT max(id) FROM matches").fetchone()[0] or 0
        except sqlite3.DatabaseError:
            self._newest = MANY


class IndexDraft:
    """Changes of one transaction, which the index learns of when they are durable, or never."""

    def __init__(self, index: StepIndex) -> None:
        self._index = index
        self._last = index.last
        self._added: dict[int, list[tuple[int, int, bytes | bytearray]]] = {}
        """Row, version and cause of each new step, by match: mostly one of each match."""
        self._dropped: set[int] = set()

    def new_row(self) -> int:
        """Return a row number that was never used."""
        self._last += 1
        return self._last

    def add(self, row: int, number: int, version: int, cause: bytes | bytearray) -> None:
        self._added.setdefault(number, []).append((row, version, cause))

    def drop(self, number: int) -> None:
        """Drop all steps of a match."""
        self._added.pop(number, None)
        self._dropped.add(number)

    def version(self, number: int) -> int:
        """Return the highest version of the match's steps, 0 where there are none."""
        added = self._added.get(number)
        if added is not None:
            return max(version for _, version, _ in added)
        durable = self._durable(number)
        return 0 if durable is None else durable.version

    def rows(self, number: int) -> list[int]:
        """Return the rows of the match's steps."""
        durable = self._durable(number)
        known = [] if durable is None else durable.rows.tolist()
        return known + [row for row, _, _ in self._added.get(number, ())]

    def row_of(self, number: int, cause: bytes) -> int | None:
        """Return the row of the step of this match that this cause made, None where there is none."""
        for row, _, known in self._added.get(number, ()):
            if known == cause:
                return row
        durable = self._durable(number)
        return durable.row_of(cause) if durable is not None and durable.may_hold(cause) else None

    def settle(self) -> None:
        """Put the changes into the index: they are durable."""
        for number in self._dropped:
            self._index.drop(number)
        for number, steps in self._added.items():
            for step in steps:
                self._index.add(number, *step)
        self.clear()

    def clear(self) -> None:
        """Drop the changes: they are not durable."""
        self._added = {}
        self._dropped = set()

    def _durable(self, number: int) -> MatchSteps | None:
        return None if number in self._dropped else self._index.steps(number)


def is_damage(error: sqlite3.Error) -> bool:
    """Return True where the content of the file is to blame for an error."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _rows(db: sqlite3.Connection, order: str) -> Iterator[tuple[int, int, int, bytes]]:
    """Yield row, match, version and cause of every step; damaged ones belong to match 0."""
    found = db.execute(f"SELECT rowid, match, version, cause FROM steps ORDER BY rowid {order}")
    for row, number, version, cause in found:
        if type(cause) is bytes and len(cause) == CAUSE_BYTES and type(version) is int and type(number) is int:
            yield row, number, version, cause
        else:
            yield row, number if type(number) is int else 0, 0, NO_CAUSE
