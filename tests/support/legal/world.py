"""The tables at which guests do as much as they may: matches of six, one that is over, and an army list of full
size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from engine.rulesets.one_page.content.army_lists import OnePageLists
from protocol.ids import NO_TABLE, TableId
from protocol.wire import from_client as say
from tests.support.clients import programs
from tests.support.legal.guests import Guest
from tests.support.systems.army_book import book

ARMIES: Final = ("one_page", "open_field_6000")
BOTS: Final = ("action_cards", "lantern_fair")
"""System and scenario of a table of six."""
SIX: Final = 6
FACTION: Final = "iron_marches"
LIST: Final = OnePageLists().build(book(), FACTION, 6000, 7)
PATIENCE: Final = 60.0
VOTE_SECONDS: Final = 10.0


@dataclass
class World:
    """Shared knowledge of the guests: ids of an open, a live and a finished table, and an army list's file by lines."""

    open: TableId = NO_TABLE
    live: TableId = NO_TABLE
    finished: TableId = NO_TABLE
    faction: str = FACTION
    list_lines: list[str] = field(default_factory=lambda: OnePageLists().write(book(), LIST).splitlines())


async def seat_six(guests: Sequence[Guest]) -> TableId:
    """Begin a match of these six and return the id of their table."""
    owner, *others = guests
    await owner.asked(say.CreateTable(system=BOTS[0], scenario=BOTS[1], name="Six"))
    code = (await owner.until("table"))["code"]
    for other in others:
        await other.asked(say.JoinTable(code=code))
    await owner.asked(say.ChangeTable(seconds=3600, reaction_seconds=0, bank=7200))
    for guest in guests:
        await guest.asked(say.SetReady(ready=True))
    await owner.asked(say.StartMatch())
    await until(lambda: owner.table.get("state") == "live", "a match of six has not begun")
    return TableId(str(owner.table["id"]))


async def seat_two(guests: Sequence[Guest]) -> TableId:
    """Begin a match of the largest armies for these two and return the id of their table."""
    owner, other = guests
    await owner.asked(say.CreateTable(system=ARMIES[0], scenario=ARMIES[1], name="Two"))
    await other.asked(say.JoinTable(code=(await owner.until("table"))["code"]))
    await owner.asked(say.ChangeTable(seconds=3600, reaction_seconds=0, bank=7200))
    for guest in guests:
        await guest.asked(say.BringList(list=LIST))
    for guest in guests:
        await guest.asked(say.SetReady(ready=True))
    await owner.asked(say.StartMatch())
    await until(lambda: owner.table.get("state") == "live", "a match of two has not begun")
    return TableId(str(owner.table["id"]))


async def end_alone(guest: Guest) -> TableId:
    """End a match against bots by its one person, and return the id of the finished table."""
    await guest.asked(say.CreateTable(system=BOTS[0], scenario=BOTS[1], name="Over"))
    for _ in range(SIX - 1):
        await guest.asked(say.AddBot(kind="random"))
    await guest.asked(say.SetReady(ready=True))
    await guest.asked(say.StartMatch())
    await guest.asked(say.CallVote(what="end"))
    await until(lambda: guest.table.get("state") == "finished", "the match has not ended")
    table = TableId(str(guest.table["id"]))
    await guest.asked(say.LeaveTable())
    guest.said.pop("table", None)
    return table


async def end_together(guests: Sequence[Guest]) -> None:
    """Let all of them agree to end their match, where it goes on; a server that does not answer is left alone."""
    with suppress(AssertionError):
        await until(lambda: not guests[-1].table.get("vote"), "another vote is open", VOTE_SECONDS)
        await guests[0].leave_for(say.CallVote)
        guests[0].tell(say.CallVote(what="end"))
        await until(lambda: guests[-1].table.get("vote"), "no vote is open", VOTE_SECONDS)
        for guest in guests[1:]:
            await guest.leave_for(say.CastVote)
            guest.tell(say.CastVote(yes=True))
        await until(lambda: guests[-1].table.get("state") == "finished", "it goes on", VOTE_SECONDS)


async def until(holds: Callable[[], object], otherwise: str, seconds: float = PATIENCE) -> None:
    """Wait for a message to a guest. Raises AssertionError with `otherwise`."""
    try:
        await programs.until(holds, seconds)
    except TimeoutError:
        raise AssertionError(otherwise) from None
