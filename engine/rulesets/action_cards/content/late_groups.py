"""Late groups: the part of a faction's force that a role keeps back, and its rows of arrival (AC-SCEN-01)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.rules.implements import implements
from engine.rulesets.action_cards.content.schema import RoleEntry
from engine.rulesets.action_cards.content.smaller_scenarios import WIDE, scaled_row
from engine.rulesets.action_cards.state.model import Faction, Reserve

LEAST_AT_START: Final = 2
"""Groups on the table from the start, of a force that has them, however many a role keeps back."""


@implements("AC-SCEN-01", "AC-FACT-01")
def reserves_of(role: RoleEntry, faction: Faction, seats: int) -> tuple[Reserve, ...]:
    """Return the reserves of a role where this faction plays it, at a table of so many seats.

    The last groups of the force come as the role says, in the order in which it says so. Late groups of the faction
    beyond these come with their own rows, where the role starts.
    """
    return tuple(_reserves(role, faction, seats))


def _reserves(role: RoleEntry, faction: Faction, seats: int) -> Iterator[Reserve]:
    left = max(len(faction.late), len(faction.force) - LEAST_AT_START)
    spare = len(faction.late)
    for one in role.reserve:
        groups = min(one.groups, left)
        left, spare = left - groups, spare - groups
        if groups:
            yield Reserve(one.row, groups, one.start or role.start)
    for row in reversed(faction.late[: max(0, spare)]):
        yield Reserve(scaled_row(row, seats, WIDE), 1, role.start)
