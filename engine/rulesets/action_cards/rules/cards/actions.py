"""Actions of a card (AC-ACT-01): taking one, the groups that may, and the fields of verbs that pick them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from engine.kit.blanks import Blank, Draft, Picker
from engine.kit.rules import Game, IllegalIntent, Seat, forbid, implements
from engine.rulesets.action_cards.rules.board import combats, table
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.events import ActionTaken
from engine.rulesets.action_cards.state.state import Group, Skirmish
from protocol.ids import FigureId, GroupId


def check_group(state: Skirmish, seat: int, id: GroupId) -> Group:
    """Return the group, if it is this seat's and can act at all. Raises IllegalIntent."""
    group = state.groups.get(id)
    if group is None:
        raise IllegalIntent("group/unknown")
    forbid(group.owner != seat, "group/not-yours")
    forbid(group.stunned, "group/stunned")
    return group


def check_free(state: Skirmish, seat: int, id: GroupId) -> Group:
    """Return the group, if it may do other things than shoot: it is in no close combat. Raises IllegalIntent."""
    group = check_group(state, seat, id)
    forbid(combats.combat_of(state, id) is not None, "group/locked")
    return group


def check_acting(state: Skirmish, seat: int, id: GroupId) -> Group:
    """Return a free group, if an action is left that is no move and no shot at a group. Raises IllegalIntent."""
    check_actions(state)
    return check_free(state, seat, id)


@implements("AC-ACT-01")
def check_actions(state: Skirmish, wanted: int = 1) -> None:
    """Check that so many actions are left, for whichever groups. Raises IllegalIntent."""
    forbid(state.left < wanted, "card/no-actions-left")


@implements("AC-ACT-01")
def take_action(game: Game[Skirmish], group: GroupId, kind: str, actions: int = 1) -> None:
    """Use up actions of the current card for a group."""
    game.emit(ActionTaken(group, kind, actions))


def is_open(state: Skirmish) -> bool:
    """Tell whether the current card is being played, by a faction that is still there."""
    card = state.row[state.current]
    return card.state == "current" and card.seat >= 0 and state.seats[card.seat].alive


@implements("AC-ACT-01")
def can_go_on(state: Skirmish) -> bool:
    """Tell whether anything can still be done with the current card."""
    if not is_open(state):
        return False
    if state.left > 0:
        return True
    movers = [id for id in state.free_moves if id in state.groups or id in state.aboard]
    return any(combats.combat_of(state, id) is None for id in movers)


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
