"""Line-up of a quick match: the people who were found, with their army lists, and bots in the seats that are left."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.core.rules.army_lists import BroughtList, lists_of
from server.accounts.display_names import BOT_NAME, unique_name
from server.lobby.army_lists import SEED_BITS, drawn, record_of
from server.lobby.table.table_record import SeatRecord
from server.match.bots.bot_factory import new_seed

if TYPE_CHECKING:
    from engine.core.rules.system import ScenarioInfo
    from server.content.systems import Installed

BOT: Final = "level2"


class FoundPlayer(NamedTuple):
    """Person who is to play. `lists`: their army lists for the system."""

    who: str
    name: str
    lists: Sequence[BroughtList] = ()


def line_up(
    installed: Installed, scenario: ScenarioInfo, players: Sequence[FoundPlayer], name_length: int
) -> Iterator[SeatRecord]:
    """Yield the seats, all ready: a person brings the list with the most points of theirs that fits, else a drawn
    one."""
    taken: list[str] = []
    for number, player in enumerate(players):
        taken.append(unique_name(player.name, taken, name_length))
        brought = _army(installed, scenario, number, player)
        faction, army = ("", None) if brought is None else (brought.faction, record_of(brought))
        yield SeatRecord(player.who, taken[-1], faction, ready=True, army=army)
    kinds = installed.bot_kinds()
    for _ in range(scenario.seats - len(players)):
        taken.append(unique_name(BOT_NAME, taken, name_length))
        yield SeatRecord("", taken[-1], ready=True, bot=BOT if BOT in kinds else kinds[0], seed=new_seed())


def _army(installed: Installed, scenario: ScenarioInfo, seat: int, player: FoundPlayer) -> BroughtList | None:
    """Return the list that a person plays with, None where none are brought."""
    lists, points = lists_of(installed.system), scenario.points_of(seat)
    if lists is None or not points:
        return None
    factions = {info.id for info in scenario.factions}
    fitting = [one for one in player.lists if one.points <= points and one.faction in factions]
    ready = max(fitting, key=lambda one: one.points, default=None)
    return ready or drawn(installed, lists, "", points, secrets.randbits(SEED_BITS))
