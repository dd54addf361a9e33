"""Tables as people see them: whole at the table, as a row in the lobby."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from protocol.from_server import ClockView, SeatView, TableRow, TableView, Watcher
from protocol.text import Text
from server.tables import LIVE, TableRecord

if TYPE_CHECKING:
    from engine.core.system import ScenarioInfo


def table_view(
    table: TableRecord,
    who: str,
    scenario: ScenarioInfo | None,
    connected: Collection[str],
    watchers: Sequence[Watcher],
    watching: int,
    clocks: tuple[ClockView, ...],
) -> TableView:
    """The table for one viewer. The invite code is for those who hold a seat."""
    seat = table.seat_of(who)
    names = {info.id: info.name for info in scenario.factions} if scenario is not None else {}
    seats = tuple(
        SeatView(n, s.who, s.name, s.faction, names.get(s.faction), s.ready, s.bot, s.who in connected)
        for n, s in enumerate(table.seats)
    )
    return TableView(
        id=table.id,
        name=table.name,
        system=table.system,
        scenario=table.scenario,
        state=table.state,
        seat=seat,
        owner=table.owner,
        seats=seats,
        watchers=tuple(watchers),
        watching=watching,
        code=table.code if seat >= 0 else "",
        private=table.private,
        seconds=table.seconds,
        reaction_seconds=table.reaction_seconds,
        watchers_heard=table.watchers_heard,
        clocks=clocks,
        replay=bool(table.replay),
    )


def table_row(table: TableRecord, who: str, scenario: ScenarioInfo | None, waiting: Sequence[int]) -> TableRow:
    """The table in the lobby of one viewer."""
    seat = table.seat_of(who)
    owner = next((s.name for s in table.seats if s.who and s.who == table.owner), "")
    return TableRow(
        id=table.id,
        name=table.name,
        system=table.system,
        scenario=scenario.name if scenario is not None else Text(table.scenario),
        state=table.state,
        seats=len(table.seats),
        taken=sum(not s.free for s in table.seats),
        private=table.private,
        mine=seat >= 0,
        turn=table.state == LIVE and seat in waiting,
        waits=tuple(table.seats[n].name for n in waiting if n < len(table.seats)),
        owner=owner,
        result=table.result,
        when=table.changed,
    )


def may_see(table: TableRecord, who: str) -> bool:
    """Whether the lobby shows this table to `who`."""
    return who not in table.banned and (not table.private or who in table.people or who in table.admitted)
