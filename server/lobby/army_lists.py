"""Army lists at a table: the form to build one in, and what each seat brings. The rule system knows which lists there
are."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec.structs import replace

from engine.core.rules.army_lists import ArmyLists, BroughtList, lists_of
from engine.core.rules.errors import ListRefused
from protocol.text_format import format_text
from protocol.wire.from_server import ListShown
from server.lobby.table import agreement
from server.lobby.table.table_record import ListRecord, TableRecord
from server.runtime.refusals import Refused

if TYPE_CHECKING:
    from engine.core.rules.system import ScenarioInfo
    from protocol.wire import from_client as said
    from server.content.systems import Installed
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.lobby.table.live_table import LiveTable
    from server.net.rule_queries import RuleQueries


SEED_BITS: Final = 40


class _Wanted(NamedTuple):
    """A list that a seat may bring: of so many points at most in this scenario, and, where it is drawn, of the seat's
    faction."""

    seat: int
    scenario: ScenarioInfo
    limit: int
    faction: str


class ArmyListCommands:
    """Commands about army lists. One that raises Refused or StoreError has changed nothing."""

    def __init__(self, services: Services, lobby: Lobby, questions: RuleQueries) -> None:
        self._services = services
        self._lobby = lobby
        self._questions = questions

    async def build(self, session: Session, asked: said.BuildList) -> None:
        live = self._lobby.mine(session)
        seat = agreement.seat_to_set_up(live.record, session.who, asked.seat)
        scenario, installed, lists = self._at(live)
        draft = "\n".join(asked.lines) or asked.draft or _begun(installed, lists, live.record, seat, scenario)
        try:
            form = await self._questions.answer(
                session.asker, lambda: lists.form(installed.content, draft, asked.change)
            )
        except ListRefused as refused:
            raise list_refusal(installed, refused, session.language) from refused
        session.say(ListShown(seat, form))

    async def bring(self, session: Session, asked: said.BringList) -> None:
        live = self._lobby.mine(session)
        written = "\n".join(asked.lines) or asked.list
        # each try is charged, so that it ends
        while True:
            wanted = self._wanted(live, session, asked.seat, is_drawn=not written)
            brought = await self._brought(live, session, written, wanted)
            async with live.lock:
                # the table may have changed while the question waited
                if self._wanted(live, session, asked.seat, is_drawn=not written) == wanted:
                    army, faction = record_of(brought), brought.faction
                    await self._lobby.save(live, agreement.bring_list(live.record, wanted.seat, army, faction))
                    return

    def _wanted(self, live: LiveTable, session: Session, number: int | None, *, is_drawn: bool) -> _Wanted:
        """Return what a list must be for the seat that this person sets up. Raises Refused."""
        seat = agreement.seat_to_set_up(live.record, session.who, number)
        scenario, _, _ = self._at(live)
        return _Wanted(seat, scenario, scenario.points_of(seat), live.record.seats[seat].faction if is_drawn else "")

    async def _brought(self, live: LiveTable, session: Session, written: str, wanted: _Wanted) -> BroughtList:
        """Read the written list, or draw one, when it is its turn. Raises Refused where the seat cannot have it."""
        _, installed, lists = self._at(live)
        try:
            brought = await self._questions.answer(
                session.asker,
                lambda: (
                    lists.read(installed.content, written)
                    if written
                    else drawn(installed, lists, wanted.faction, wanted.limit, secrets.randbits(SEED_BITS))
                ),
            )
        except ListRefused as refused:
            raise list_refusal(installed, refused, session.language) from refused
        if brought.points > wanted.limit:
            raise Refused("list/points", points=brought.points, limit=wanted.limit)
        if brought.faction not in {info.id for info in wanted.scenario.factions}:
            raise Refused("table/unknown-faction")
        return brought

    def _at(self, live: LiveTable) -> tuple[ScenarioInfo, Installed, ArmyLists]:
        """Return the scenario, the system and its lists. Raises Refused where no lists are brought."""
        scenario = self._lobby.scenario(live.record.system, live.record.scenario)
        installed = self._services.systems[live.record.system]
        lists = lists_of(installed.system)
        if lists is None or not scenario.points:
            raise Refused("list/none-here")
        return scenario, installed, lists


def with_lists_of_bots(installed: Installed, table: TableRecord, scenario: ScenarioInfo) -> TableRecord:
    """Draw lists for bots without one, the same for a seed, of the faction that they are to play."""
    lists = lists_of(installed.system)
    if lists is None or not scenario.points:
        return table
    for number, seat in enumerate(table.seats):
        if seat.army is None:
            brought = drawn(installed, lists, seat.faction, scenario.points_of(number), seat.seed)
            table = table.with_seat(number, replace(seat, army=record_of(brought), faction=brought.faction))
    return table


def drawn(installed: Installed, lists: ArmyLists, faction: str, points: int, seed: int) -> BroughtList:
    """Draw a list by a seed; of the faction that the seed picks where none is given."""
    known = lists.factions(installed.content)
    whose = faction or known[seed % len(known)]
    return lists.read(installed.content, lists.build(installed.content, whose, points, seed))


def drawn_lists(
    installed: Installed, info: ScenarioInfo, factions: Sequence[str], seeds: Sequence[int]
) -> tuple[str, ...]:
    """Draw lists for all seats, and return their codes; none where none are brought."""
    lists = lists_of(installed.system)
    if lists is None or not info.points:
        return ()
    pairs = enumerate(zip(factions, seeds, strict=True))
    return tuple(drawn(installed, lists, faction, info.points_of(n), seed).code for n, (faction, seed) in pairs)


def list_refusal(installed: Installed, refused: ListRefused, language: str) -> Refused:
    """Make a refusal that names every fault."""
    entries = installed.catalogue(language).entries
    return Refused("list/refused", faults=" ".join(format_text(fault, entries) for fault in refused.faults))


def _begun(installed: Installed, lists: ArmyLists, table: TableRecord, seat: int, scenario: ScenarioInfo) -> str:
    """Return the list that a form begins with: that of the seat, else an empty one of its faction."""
    army, faction = table.seats[seat].army, table.seats[seat].faction
    if army is not None:
        return army.code
    return lists.empty(installed.content, faction or lists.factions(installed.content)[0], scenario.points_of(seat))


def record_of(brought: BroughtList) -> ListRecord:
    """Return a list as a seat brings it."""
    return ListRecord(brought.code, brought.name, brought.points)
