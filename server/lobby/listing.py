"""The lobby's list of tables for many viewers: kept in order as tables change, so that it costs what has changed.

Most viewers look at the same rows, the first of the public tables: these are encoded once for all. Tables of one's own,
and private ones that one is let into, stand beside them, for each person.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, cast

import msgspec

from protocol.wire.codec import encode
from protocol.wire.from_server import Lobby, TableRow
from server.lobby.table.tables import FINISHED, LIVE, OPEN
from server.lobby.table.views import is_old, may_see, table_row

if TYPE_CHECKING:
    from engine.core.rules.system import ScenarioInfo
    from server.lobby.table.tables import TableRecord

ROWS: Final = 100
_ORDER: Final = {LIVE: 0, OPEN: 1, FINISHED: 2}
_FOREVER: Final = 1 << 40
"""Seconds."""
_PACK: Final = msgspec.msgpack.Encoder().encode

Place = tuple[int, int, str]
"""Place of a table in the order: live before open before finished, the newest first, then by id."""


class Listed(Protocol):
    """The part of a table that its row needs."""

    @property
    def record(self) -> TableRecord: ...
    @property
    def scenario(self) -> ScenarioInfo | None: ...
    @property
    def waiting(self) -> Sequence[int]: ...


class _Seen(NamedTuple):
    """The row of a table for all who have no seat at it, as long as this is its record and these are waited for."""

    record: TableRecord
    waiting: Sequence[int]
    row: TableRow
    packed: msgspec.Raw


class _Common(NamedTuple):
    """The list of all who have nothing of their own. `until`: in unix seconds, when the oldest row is too old."""

    data: bytes
    until: int


class Listing:
    """All tables: public ones for everybody, others by the people who may see them."""

    def __init__(self) -> None:
        self._tables: dict[str, Listed] = {}
        self._records: dict[str, TableRecord] = {}
        """As they are listed: the table's own may be newer already."""
        self._public: list[Place] = []
        self._finished: list[Place] = []
        """Public ones that are over: of those that are not, there are few."""
        self._own: dict[str, list[Place]] = {}
        """By people: where they have a seat."""
        self._admitted: dict[str, list[Place]] = {}
        """Private tables that they may see without one."""
        self._banned: dict[str, set[str]] = {}
        self._seen: dict[str, _Seen] = {}
        self._common: _Common | None = None

    def put(self, table: Listed) -> None:
        """List a table that is new, or whose record is another one."""
        record = table.record
        self.remove(record.id)
        self._tables[record.id] = table
        self._records[record.id] = record
        place = _place(record)
        for places in self._lists(record):
            insort(places, place)
        for who in record.banned:
            self._banned.setdefault(who, set()).add(record.id)
        self.changed()

    def remove(self, id: str) -> None:
        """List a table no more."""
        record = self._records.pop(id, None)
        if record is None:
            return
        del self._tables[id]
        self._seen.pop(id, None)
        place = _place(record)
        for places in self._lists(record):
            del places[bisect_left(places, place)]
        for who in record.banned:
            _drop(self._banned, who, id)
        for who in (*record.people, *record.admitted):
            for lists in (self._own, self._admitted):
                if who in lists and not lists[who]:
                    del lists[who]
        self.changed()

    def _lists(self, record: TableRecord) -> list[list[Place]]:
        """Return the lists that a table with this record is in."""
        found = [] if record.private else [self._finished if record.state == FINISHED else self._public]
        people = set(record.people)
        found += [self._own.setdefault(who, []) for who in people]
        if record.private:
            found += [self._admitted.setdefault(who, []) for who in set(record.admitted) - people]
        return found

    def changed(self) -> None:
        """Forget what is encoded: a record is another one, or other seats are waited for."""
        self._common = None

    def tables_of(self, who: str) -> list[Listed]:
        """Return the tables at which this person has a seat."""
        return [self._tables[id] for _, _, id in self._own.get(who, ())]

    def told(self, who: str, since: int) -> bytes:
        """Return the message with the rows that this person sees. The very same object as long as nothing changes for
        those who have no tables of their own."""
        if who in self._own or who in self._admitted or who in self._banned:
            return _message([_packed(found) for found in self._found(who, since)])
        common = self._common
        if common is None or since > common.until:
            seen = [self._row(self._tables[id], who) for id in islice(self._others(who, since), ROWS)]
            until = min((s.record.changed for s in seen if s.record.state == FINISHED), default=since + _FOREVER)
            self._common = common = _Common(_message([s.packed for s in seen]), until)
        return common.data

    def rows(self, who: str, since: int) -> tuple[TableRow, ...]:
        """Return what this person sees: tables that wait for them first, then their own, live before open before
        finished. `since`: unix seconds; matches that ended before it are shown to their seats alone."""
        return tuple(found if isinstance(found, TableRow) else found.row for found in self._found(who, since))

    def _found(self, who: str, since: int) -> list[TableRow | _Seen]:
        own = list(self._mine(who))
        own.sort(key=lambda row: not row.turn)  # the order in which they stand is kept
        others = islice(self._others(who, since), max(ROWS - len(own), 0))
        return [*own[:ROWS], *(self._row(self._tables[id], who) for id in others)]

    def _mine(self, who: str) -> Iterator[TableRow]:
        """Make the rows of all that are live, since any may wait for them, and of as many others as have room."""
        for count, (order, _, id) in enumerate(self._own.get(who, ())):
            if order != _ORDER[LIVE] and count >= ROWS:
                return
            table = self._tables[id]
            if may_see(table.record, who):
                yield table_row(table.record, who, table.scenario, table.waiting)

    def _others(self, who: str, since: int) -> Iterator[str]:
        """Find the tables at which this person has no seat, in order."""
        admitted, at = self._admitted.get(who, []), 0
        for place in chain(self._public, self._finished):
            while at < len(admitted) and admitted[at] < place:
                if self._is_shown(admitted[at], who, since):
                    yield admitted[at][2]
                at += 1
            if place[0] == _ORDER[FINISHED] and -place[1] < since:
                break
            if self._is_shown(place, who, since):
                yield place[2]
        for place in islice(admitted, at, None):
            if self._is_shown(place, who, since):
                yield place[2]

    def _is_shown(self, place: Place, who: str, since: int) -> bool:
        record = self._tables[place[2]].record
        return record.seat_of(who) < 0 and may_see(record, who) and not is_old(record, who, since)

    def _row(self, table: Listed, who: str) -> _Seen:
        """Return the row of a table for `who` and all others who have no seat at it, encoded once."""
        record, waiting = table.record, table.waiting
        seen = self._seen.get(record.id)
        if seen is None or seen.record is not record or seen.waiting != waiting:
            row = table_row(record, who, table.scenario, waiting)
            self._seen[record.id] = seen = _Seen(record, waiting, row, msgspec.Raw(_PACK(row)))
        return seen


def _place(record: TableRecord) -> Place:
    return _ORDER[record.state], -record.changed, record.id


def _packed(found: TableRow | _Seen) -> msgspec.Raw:
    return msgspec.Raw(_PACK(found)) if isinstance(found, TableRow) else found.packed


def _message(rows: Sequence[msgspec.Raw]) -> bytes:
    # what is encoded already is put in as it is
    return encode(Lobby(cast("Any", tuple(rows))))


def _drop(sets: dict[str, set[str]], who: str, id: str) -> None:
    sets[who].discard(id)
    if not sets[who]:
        del sets[who]
