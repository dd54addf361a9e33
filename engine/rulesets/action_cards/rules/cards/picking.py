"""Fields of verbs that pick groups of this game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from engine.core.rules.audience import Seat
from engine.kit.blanks import Blank, Draft, Picker
from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import FigureId, GroupId

Choosing = Draft[Skirmish]
"""A choice of this game that is being filled in."""
pick: Final = Picker[Skirmish, GroupId](names.group_node, names.group)
"""Makes a field of one group out of several."""
figures: Final = Picker[Skirmish, FigureId](names.piece_node, names.figure, preset=True)
"""Makes a field of one figure out of several, the first by default."""


def acting(
    candidates: Callable[[Choosing], Iterable[GroupId]], check: Callable[[Skirmish, Seat, GroupId], object]
) -> Blank[Skirmish]:
    """Make the first field of most verbs: the group that acts."""
    return pick("group", candidates, lambda draft, id: check(draft.state, draft.seat, id))


def own(draft: Choosing) -> list[GroupId]:
    """Return the seat's own groups on the table."""
    return [group.id for group in draft.state.groups.values() if group.owner == draft.seat]


def rivals(draft: Choosing) -> list[GroupId]:
    """Return the groups of all enemies."""
    return [group.id for group in draft.state.groups.values() if draft.state.hostile(group.owner, draft.seat)]


def actions_left(state: Skirmish, seat: Seat) -> int:
    """Return the actions left on the card: a verb that takes one is offered while there are any."""
    return state.left


def any_vehicles(state: Skirmish, seat: Seat) -> bool:
    """Tell whether anybody has vehicles: only then a verb of theirs is looked at."""
    return table.board(state).content.has_vehicles


def on_foot(draft: Choosing) -> list[GroupId]:
    """Return the seat's own groups but its vehicles."""
    vehicle = table.board(draft.state).vehicle
    return [id for id in own(draft) if vehicle(id) is None]
