"""The directory of tables: found by code and person, and listed for many viewers at the cost of what has changed.

Most viewers look at the same rows, the first of the public tables: these are encoded once for all. Tables of one's own,
private ones that one is let into, and those where a seat is kept for one, stand beside them, for each person.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterator, Sequence, Set
from heapq import merge
from itertools import chain, islice, takewhile
from typing import Any, Final, NamedTuple, Protocol, cast

import msgspec
from msgspec.structs import replace

from engine.core.rules.system import ScenarioInfo
from protocol.ids import TableId
from protocol.wire.codec import encode
from protocol.wire.table_lists import Lobby, TableRow
from server.lobby.table.table_record import FINISHED, LIVE, STATE_ORDER, TableRecord
from server.lobby.table.views import is_old, may_see, table_row

ROWS: Final = 100
_FOREVER: Final = 1 << 40
"""Seconds."""
_PACK: Final = msgspec.msgpack.Encoder().encode
_RECORD: Final = msgspec.msgpack.Decoder(TableRecord)
MOST_SEEN: Final = 2 * ROWS
"""Rows that are kept: those of the list that most viewers see, and as many of others."""

_NOTHING: Final[frozenset[TableId]] = frozenset()
_NOBODY: Final = "nobody"
"""The id of no person."""

Place = tuple[int, int, TableId]
"""Place of a table in the order: live before open before finished, the newest first, then by id."""


class TableDirectory(Protocol):
    """The index of all tables by id, invite code and person, and their list for each viewer. It holds plain data, and
    answers at once from what it knows; one that several processes share may be behind by a second."""

    def put(self, record: TableRecord) -> None:
        """Take this as the record of a table, new or known."""
        ...

    def wait_for(self, id: TableId, seats: tuple[int, ...]) -> None:
        """Take these as the seats that the live match of this table waits for."""
        ...

    def remove(self, id: TableId) -> None:
        """Forget a table; one that is not known is ignored."""
        ...

    def record(self, id: TableId) -> TableRecord | None:
        """Return the record of a table, None where it is not known."""
        ...

    def ids(self) -> list[TableId]:
        """Return the ids of all tables."""
        ...

    def by_code(self, code: str) -> TableId | None:
        """Return the id of the table with this invite code, None where there is none."""
        ...

    def tables_of(self, who: str) -> list[TableId]:
        """Return the ids of the tables at which this person has a seat."""
        ...

    def places(self, since: int) -> list[Place]:
        """Return the places of all public tables, in order, but for those whose match ended before `since` (unix
        seconds)."""
        ...

    def changes(self) -> dict[TableId, TableRecord | None]:
        """Return the tables that have changed, come or gone since the last call, each as it was then, or None; those
        whose live match waits for other seats are among them."""
        ...

    def row(self, id: TableId) -> bytes:
        """Return the row of a known table, encoded, for all who have no seat at it."""
        ...

    def own(self, who: str) -> list[TableRow]:
        """Return the rows of the tables that are not finished at which this person has a seat, or one is kept for them
        by somebody whom they have not blocked, and of private ones that they may see without one: those that wait for
        them first, then in order."""
        ...

    def hidden(self, who: str) -> Set[TableId]:
        """Return the tables that this person may see no more."""
        ...

    def listed(self, who: str, since: int) -> bytes:
        """Return the message with the rows that this person sees, the very same object as long as nothing changes for
        those who have no tables of their own and no seat kept for them. `since`: unix seconds; matches that ended
        before it are shown to their seats alone."""
        ...


class _Seen(NamedTuple):
    """The row of a table for all who have no seat at it and none kept for them, valid for this record and these waiting
    seats."""

    record: TableRecord
    waiting: Sequence[int]
    row: TableRow
    packed: msgspec.Raw


class _Common(NamedTuple):
    """The list of all who have nothing of their own. `until`: in unix seconds, when the oldest row is too old."""

    data: bytes
    until: int


class MemoryTableDirectory:
    """The directory in the memory of this process. `scenario_of`: tells what is played at a table, None where that is
    not installed; `is_blocked`: tells if the first person has blocked the second."""

    def __init__(
        self,
        scenario_of: Callable[[TableRecord], ScenarioInfo | None],
        is_blocked: Callable[[str, str], bool] = lambda by, who: False,
    ) -> None:
        self._scenario_of = scenario_of
        self._is_blocked = is_blocked
        self._records: dict[TableId, TableRecord] = {}
        """Of tables that are not finished."""
        self._packed: dict[TableId, bytes] = {}
        """Records of finished ones, of which there are ever more."""
        self._waiting: dict[TableId, tuple[int, ...]] = {}
        self._codes: dict[str, TableId] = {}
        self._public: list[Place] = []
        self._finished: list[Place] = []
        """Public ones that are over: of those that are not, there are few."""
        self._own: dict[str, list[Place]] = {}
        """By people: where they have a seat."""
        self._admitted: dict[str, list[Place]] = {}
        """Private tables that they may see without one."""
        self._kept: dict[str, list[Place]] = {}
        """Public tables where a seat is kept for them."""
        self._shut_out: dict[str, set[TableId]] = {}
        self._seen: dict[TableId, _Seen] = {}
        self._common: _Common | None = None
        self._changes: dict[TableId, TableRecord | None] = {}

    def put(self, record: TableRecord) -> None:
        waiting = self._waiting.get(record.id, ())
        self.remove(record.id)
        self._changes.setdefault(record.id, None)
        if record.state == FINISHED:
            self._packed[record.id] = _PACK(record)
        else:
            self._records[record.id] = record
        self._codes[record.code] = record.id
        if record.state == LIVE:
            self._waiting[record.id] = waiting
        place = place_of(record)
        for places in self._lists(record):
            insort(places, place)
        for who in record.shut_out:
            self._shut_out.setdefault(who, set()).add(record.id)
        self._common = None

    def wait_for(self, id: TableId, seats: tuple[int, ...]) -> None:
        if self._waiting.get(id, seats) != seats:
            self._changes.setdefault(id, self.record(id))
            self._waiting[id] = seats
            self._common = None

    def remove(self, id: TableId) -> None:
        record = self.record(id)
        if record is None:
            return
        self._changes.setdefault(id, record)
        self._records.pop(id, None)
        self._packed.pop(id, None)
        del self._codes[record.code]
        self._waiting.pop(id, None)
        self._seen.pop(id, None)
        place = place_of(record)
        for places in self._lists(record):
            del places[bisect_left(places, place)]
        for who in record.shut_out:
            _drop(self._shut_out, who, id)
        for who in record.let_in:
            for lists in (self._own, self._admitted, self._kept):
                if who in lists and not lists[who]:
                    del lists[who]
        self._common = None

    def _lists(self, record: TableRecord) -> list[list[Place]]:
        """Return the lists that a table with this record is in."""
        found = [] if record.is_hidden else [self._finished if record.state == FINISHED else self._public]
        people = set(record.people)
        found += [self._own.setdefault(who, []) for who in people]
        if record.is_hidden:
            return found + [self._admitted.setdefault(who, []) for who in set(record.let_in) - people]
        return found + [self._kept.setdefault(who, []) for who in set(record.kept_for)]

    def record(self, id: TableId) -> TableRecord | None:
        known = self._records.get(id)
        if known is None and id in self._packed:
            seen = self._seen.get(id)
            return _RECORD.decode(self._packed[id]) if seen is None else seen.record
        return known

    def ids(self) -> list[TableId]:
        return [*self._records, *self._packed]

    def by_code(self, code: str) -> TableId | None:
        return self._codes.get(code)

    def tables_of(self, who: str) -> list[TableId]:
        return [id for _, _, id in self._own.get(who, ())]

    def places(self, since: int) -> list[Place]:
        # the older a match is, the further back it stands
        end = bisect_right(self._finished, -since, key=lambda place: place[1])
        return [*self._public, *self._finished[:end]]

    def changes(self) -> dict[TableId, TableRecord | None]:
        taken, self._changes = self._changes, {}
        return taken

    def row(self, id: TableId) -> bytes:
        return bytes(self._row(id).packed)

    def own(self, who: str) -> list[TableRow]:
        kept = [place for place in self._kept.get(who, ()) if self._is_kept(self._known(place[2]), who)]
        records = map(self._known, _unfinished(self._own.get(who, ()), self._admitted.get(who, ()), kept))
        rows = [self._row_for(record, who) for record in records if self._may_see(record, who)]
        rows.sort(key=lambda row: not row.turn)  # the order in which they stand is kept
        return rows

    def hidden(self, who: str) -> Set[TableId]:
        return self._shut_out.get(who, _NOTHING)

    def listed(self, who: str, since: int) -> bytes:
        if who in self._own or who in self._admitted or who in self._kept or who in self._shut_out:
            return _message([_packed(found) for found in self._found(who, since)])
        common = self._common
        if common is None or since > common.until:
            seen = [self._row(id) for id in islice(self._others(who, since), ROWS)]
            until = min((s.record.changed for s in seen if s.record.state == FINISHED), default=since + _FOREVER)
            self._common = common = _Common(_message([s.packed for s in seen]), until)
        return common.data

    def rows(self, who: str, since: int) -> tuple[TableRow, ...]:
        """Return the rows that this person sees: tables that wait for them first, then their own, live before open
        before finished. `since`: see `listed`."""
        return tuple(found if isinstance(found, TableRow) else found.row for found in self._found(who, since))

    def _found(self, who: str, since: int) -> list[TableRow | _Seen]:
        own = list(self._mine(who))
        own.sort(key=lambda row: not row.turn)  # the order in which they stand is kept
        others, kept = islice(self._others(who, since), max(ROWS - len(own), 0)), self._kept_ids(who)
        return [*own[:ROWS], *(self._row_for(self._known(id), who) if id in kept else self._row(id) for id in others)]

    def _mine(self, who: str) -> Iterator[TableRow]:
        """Make the rows of all that are live, since any may wait for them, and of as many others as have room."""
        for count, (order, _, id) in enumerate(self._own.get(who, ())):
            if order != STATE_ORDER[LIVE] and count >= ROWS:
                return
            record = self._known(id)
            if may_see(record, who):
                yield self._row_for(record, who)

    def _others(self, who: str, since: int) -> Iterator[TableId]:
        """Find the tables at which this person has no seat, in order."""
        admitted, at = self._admitted.get(who, []), 0
        for place in chain(self._public, self._finished):
            while at < len(admitted) and admitted[at] < place:
                if self._is_shown(admitted[at], who, since):
                    yield admitted[at][2]
                at += 1
            if place[0] == STATE_ORDER[FINISHED] and -place[1] < since:
                break
            if self._is_shown(place, who, since):
                yield place[2]
        for place in islice(admitted, at, None):
            if self._is_shown(place, who, since):
                yield place[2]

    def _is_shown(self, place: Place, who: str, since: int) -> bool:
        record = self._known(place[2])
        return record.seat_of(who) < 0 and self._may_see(record, who) and not is_old(record, who, since)

    def _may_see(self, record: TableRecord, who: str) -> bool:
        """Return True where this person is shown a table: a hidden one not by a seat alone that is kept for them by
        somebody whom they have blocked."""
        if not may_see(record, who):
            return False
        is_let_in = not record.is_hidden or who in record.people or who in record.admitted
        return is_let_in or self._is_kept(record, who)

    def _is_kept(self, record: TableRecord, who: str) -> bool:
        """Return True where a seat is kept for this person by somebody whom they have not blocked."""
        return who in record.kept_for and not self._is_blocked(who, record.owner)

    def _kept_ids(self, who: str) -> Set[TableId]:
        """Return the tables at which a seat is kept for this person."""
        let_in = _unfinished(self._admitted.get(who, ()), self._kept.get(who, ()))
        return {id for id in let_in if self._is_kept(self._known(id), who)}

    def _row_for(self, record: TableRecord, who: str) -> TableRow:
        """Return the row of a table for one person."""
        row = table_row(record, who, self._scenario_of(record), self._waiting.get(record.id, ()))
        return replace(row, kept=False) if row.kept and not self._is_kept(record, who) else row

    def _row(self, id: TableId) -> _Seen:
        """Return the row of a table for all who have no seat at it and none kept for them, encoded once."""
        record, waiting = self._known(id), self._waiting.get(id, ())
        seen = self._seen.get(id)
        if seen is None or seen.record is not record or seen.waiting != waiting:
            row = table_row(record, _NOBODY, self._scenario_of(record), waiting)
            self._seen[id] = seen = _Seen(record, waiting, row, msgspec.Raw(_PACK(row)))
            if len(self._seen) > MOST_SEEN:
                del self._seen[next(iter(self._seen))]
        return seen

    def _known(self, id: TableId) -> TableRecord:
        record = self.record(id)
        assert record is not None, "a table in a list has a record"
        return record


def place_of(record: TableRecord) -> Place:
    """Return the place of a table in lists."""
    return STATE_ORDER[record.state], -record.changed, record.id


def _unfinished(*lists: Sequence[Place]) -> Iterator[TableId]:
    """Yield the tables of several lists that are not finished, in order."""
    places = takewhile(lambda place: place[0] != STATE_ORDER[FINISHED], merge(*lists))
    return (id for _, _, id in places)


def _packed(found: TableRow | _Seen) -> msgspec.Raw:
    return msgspec.Raw(_PACK(found)) if isinstance(found, TableRow) else found.packed


def _message(rows: Sequence[msgspec.Raw]) -> bytes:
    # what is encoded already is put in as it is
    return encode(Lobby(cast("Any", tuple(rows))))


def _drop(sets: dict[str, set[TableId]], who: str, id: TableId) -> None:
    sets[who].discard(id)
    if not sets[who]:
        del sets[who]
