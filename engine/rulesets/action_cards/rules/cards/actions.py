"""Actions of a card: the groups that may take one, and taking it (AC-ACT-01)."""

from __future__ import annotations

from typing import Final

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.game import Game
from engine.core.rules.implements import implements
from engine.core.rules.system import Intent
from engine.kit.verbs import Label, Verb
from engine.rulesets.action_cards.rules.board import combats
from engine.rulesets.action_cards.state.events import ActionTaken, CardEnded
from engine.rulesets.action_cards.state.state import Group, Skirmish
from protocol.ids import GroupId
from protocol.scene.advice import Gesture


def check_group(state: Skirmish, seat: int, id: GroupId) -> Group:
    """Return the group, if it is this seat's and can act at all. Raises IllegalIntent."""
    group = state.groups.get(id)
    if group is None:
        raise IllegalIntent("group/unknown")
    if group.owner != seat:
        raise IllegalIntent("group/not-yours")
    if group.stunned:
        raise IllegalIntent("group/stunned")
    return group


def check_free(state: Skirmish, seat: int, id: GroupId) -> Group:
    """Return the group, if it may do other things than shoot: it is in no close combat. Raises IllegalIntent."""
    group = check_group(state, seat, id)
    if combats.combat_of(state, id) is not None:
        raise IllegalIntent("group/locked")
    return group


def check_acting(state: Skirmish, seat: int, id: GroupId) -> Group:
    """Return the group, if it may take an action now that is neither a move nor a shot at a group. Raises
    IllegalIntent."""
    check_actions(state)
    return check_free(state, seat, id)


@implements("AC-ACT-01")
def check_actions(state: Skirmish, wanted: int = 1) -> None:
    """Check that so many actions are left on the card; how they fall on groups is the player's choice. Raises
    IllegalIntent."""
    if state.left < wanted:
        raise IllegalIntent("card/no-actions-left")


@implements("AC-ACT-01")
def take(game: Game[Skirmish], group: GroupId, kind: str, actions: int = 1) -> None:
    """Use up actions of the current card for a group."""
    game.emit(ActionTaken(group, kind, actions))


class EndCard(Intent, frozen=True, tag="end_card"):
    """End the current card."""


@implements("AC-ACT-01")
async def end_card(game: Game[Skirmish], seat: Seat, intent: EndCard) -> None:
    """End the current card for its player; actions may be left unused."""
    game.emit(CardEnded(seat))


END: Final = Verb(
    Label("end", "e", "End the card", "Actions left on it are lost."), end_card, gesture=Gesture(rank=9, ends=True)
)


@implements("AC-ACT-01")
def can_go_on(state: Skirmish) -> bool:
    """Tell whether anything can still be done with the current card."""
    card = state.row[state.current]
    if card.state != "current" or card.seat < 0 or not state.seats[card.seat].alive:
        return False
    if state.left > 0:
        return True
    movers = [id for id in state.free_moves if id in state.groups or id in state.aboard]
    return any(combats.combat_of(state, id) is None for id in movers)
