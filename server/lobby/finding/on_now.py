"""Matches that are on, for those who would like to watch one: at which their friends are, and the busiest."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nlargest
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from engine.core.rules.node_ids import seat_node
from protocol.scene.nodes import Counter, SeatNode
from protocol.wire.on_now import GetOnNow, OnNow, OnNowCounter, OnNowRow, OnNowSeat
from server.content.systems import scenario_name
from server.lobby.table.table_names import title_of
from server.lobby.table.views import may_come

if TYPE_CHECKING:
    from protocol.ids import TableId
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.lobby.table.live_table import LiveTable

ROWS: Final = 20
COUNTERS: Final = 2
"""Of a match; those with a known end come first."""
KEPT_SECONDS: Final = 1.0
"""For which the busiest are kept: thousands may ask."""


class MatchesOn:
    """The command by which people ask what is on. Only matches in memory are: nothing happens in the others."""

    def __init__(self, services: Services, lobby: Lobby) -> None:
        self._services = services
        self._lobby = lobby
        self._busiest: list[OnNowRow] = []
        self._made_at = -KEPT_SECONDS

    async def show(self, session: Session, _: GetOnNow) -> None:
        friends = await self._friends(session.who)
        rows = [replace(_row(live), friends=tuple(names)) for live, names in friends.items()]
        own = {live.record.id for live in self._lobby.unfinished_of(session.who)} | {row.table for row in rows}
        rows += [row for row in self._public() if row.table not in own and not self._is_banned(session.who, row.table)]
        session.say(OnNow(tuple(rows[:ROWS])))

    async def _friends(self, who: str) -> dict[LiveTable, list[str]]:
        """Return the matches at which friends of this person play or watch, with their names."""
        people = self._services.people
        found: dict[LiveTable, list[str]] = {}
        for friend in (await people.contacts(who)).friends:
            holder = self._lobby.holder(friend.who)
            if holder is None or people.is_hidden(friend.who):
                continue
            live = holder.table
            if live is not None and _is_on(live) and live.record.seat_of(who) < 0 and may_come(live.record, who):
                found.setdefault(live, []).append(holder.name)
        return found

    def _public(self) -> list[OnNowRow]:
        """Return the busiest public matches, with more of them than are shown: some may be the asker's own."""
        now = self._services.clock.now()
        if now - self._made_at >= KEPT_SECONDS:
            on = [live for live in self._lobby.in_memory() if _is_on(live) and not live.record.is_guarded]
            self._busiest, self._made_at = [_row(live) for live in nlargest(2 * ROWS, on, key=_business)], now
        return self._busiest

    def _is_banned(self, who: str, table: TableId) -> bool:
        record = self._services.directory.record(table)
        return record is None or who in record.shut_out


def _is_on(live: LiveTable) -> bool:
    return live.host is not None and not live.is_over and not live.is_parked and not live.record.lesson


def _business(live: LiveTable) -> tuple[int, int, int]:
    """Return how much a match is looked for: by its spectators, then its people, then how new it is."""
    return len(live.participants.watchers), len(live.participants.players), live.record.created


def _row(live: LiveTable) -> OnNowRow:
    record, name = live.record, scenario_name(live.scenario, live.record.scenario)
    counters, seats = tuple(_counters(live)), tuple(_seats(live))
    watching = len(live.participants.watchers)
    return OnNowRow(record.id, title_of(record), record.system, name, seats, counters, watching)


def _seats(live: LiveTable) -> Iterator[OnNowSeat]:
    """Yield the seats with what everybody may know of their scores."""
    nodes = live.host.channels.public_nodes if live.host is not None else {}
    scores = {id: node.score for id, node in nodes.items() if isinstance(node, SeatNode)}
    for number, seat in enumerate(live.record.seats):
        side = live.sides[number] if live.sides else -1
        yield OnNowSeat(seat.name, scores.get(seat_node(number), 0), bool(seat.bot), side)


def _counters(live: LiveTable) -> Iterator[OnNowCounter]:
    nodes = live.host.channels.public_nodes if live.host is not None else {}
    found = [node for node in nodes.values() if isinstance(node, Counter)]
    for node in sorted(found, key=lambda node: not node.most)[:COUNTERS]:
        yield OnNowCounter(node.name, node.value, node.most)
