"""Activations: units that may act, actions, and the next player (OP-ACT)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.kit import units
from engine.kit.activations import waits_for_end
from engine.kit.rules import Game, Gesture, Intent, Label, Pending, Seat, Verb, forbid, implements
from engine.rulesets.one_page.rules import traits
from engine.rulesets.one_page.rules.picking import Choosing, pick
from engine.rulesets.one_page.state.events import ActionSpent, Activated, ActivationEnded
from engine.rulesets.one_page.state.state import ABOARD, TABLE, Battle, Unit
from protocol.ids import NO_GROUP, GroupId


class Finish(Intent, frozen=True, tag="op.finish"):
    """End of the acting unit's activation; without one, `unit` stays idle."""

    unit: GroupId = NO_GROUP


@implements("OP-ACT-01")
def waiting(state: Battle, seat: int) -> list[Unit]:
    """Return the units of a player that have not been activated in this round; those aboard too."""
    return [unit for unit in state.units_of(seat, TABLE, ABOARD) if not unit.done]


def acting(draft: Choosing) -> list[Unit]:
    """Return the units that may do something now: the active one, or all that wait."""
    state = draft.state
    if state.placing:
        return []
    return waiting(state, draft.seat) if state.active is None else [state.units[state.active.unit]]


def ready(where: str = TABLE, *, drives: bool | None = None) -> Callable[[Choosing], list[Unit]]:
    """Make the candidates for an action: units that wait, or the active one before its action. `drives`: only Vehicles,
    or only others, that are able to move."""

    def able(state: Battle, unit: Unit) -> bool:
        moves = drives is None or (not unit.tracked and traits.is_vehicle(state, unit) == drives)
        return unit.where == where and not unit.pinned and moves

    def candidates(draft: Choosing) -> list[Unit]:
        taken = draft.state.active is not None and draft.state.active.action
        return [] if taken else [unit for unit in acting(draft) if able(draft.state, unit)]

    return candidates


standing, riding = ready(), ready(ABOARD)
walkers, drivers = ready(drives=False), ready(drives=True)


@implements("OP-MELEE-01", "OP-SR-14")
def is_charging(state: Battle) -> bool:
    """Tell if the acting unit has assaulted a unit that it has yet to fight: one that is still on the table."""
    target = state.units.get(state.active.target) if state.active is not None else None
    return target is not None and target.where == TABLE


@implements("OP-GEN-01")
def check_turn(state: Battle, seat: int, id: GroupId) -> Unit:
    """Return the unit if it may be activated now, or is. Raises IllegalIntent."""
    unit = state.check_acting(seat, id, TABLE, ABOARD, fights=state.phase == "battle")
    forbid(unit.done, "act/done")
    return unit


@implements("OP-ACT-03", "OP-MOR-02")
def check_action(state: Battle, seat: int, id: GroupId, where: str = TABLE) -> Unit:
    """Return the unit if it may take an action: each unit takes one, and a Pinned one none. Raises IllegalIntent."""
    unit = check_turn(state, seat, id)
    forbid(state.active is not None and state.active.action, "act/action-taken")
    forbid(unit.pinned, "act/pinned")
    forbid(unit.where != where, "act/aboard" if unit.where == ABOARD else "act/not-aboard")
    return unit


def begin(game: Game[Battle], unit: GroupId, action: str, target: GroupId = NO_GROUP) -> Pending[Battle]:
    """Begin an action of the unit; whoever carries it out resolves it."""
    declared = units.declare(game, action, unit, target)
    game.emit(Activated(unit, action, target))
    return declared


@implements("OP-ACT-01")
def end(game: Game[Battle], id: GroupId, *, idle: bool = False) -> None:
    """End the unit's activation; the other player goes on, if they have a unit left."""
    unit = game.state.units[id]
    game.emit(ActivationEnded(id, next_player(game.state, unit.owner), idle))


@implements("OP-ACT-01")
def close(game: Game[Battle], id: GroupId) -> None:
    """End the activation of a unit that has nothing left to do, or leave it to its player to end it."""
    unit = game.state.units[id]
    if unit.where in (TABLE, ABOARD) and waits_for_end(game, unit.owner):
        game.emit(ActionSpent(id))
    else:
        end(game, id)


@implements("OP-ACT-01")
def next_player(state: Battle, seat: int) -> int:
    """Return the player who activates a unit after this one: the next enemy with one left, else the next friend."""
    order = sorted(state.after(seat), key=lambda other: not state.hostile(seat, other))
    return next((other for other in order if waiting(state, other)), seat)


@implements("OP-ACT-01")
def next_in_order(state: Battle) -> int:
    """Return the player who is on after the present activation, -1 where it is the last of the round."""
    following = next_player(state, state.acting)
    if following != state.acting:
        return following
    left = len([unit for unit in waiting(state, following) if unit.id != state.acts])
    return following if left > (0 if state.active is not None else 1) else -1


@implements("OP-ACT-01", "OP-MOR-02")
async def finish(game: Game[Battle], seat: Seat, intent: Finish) -> None:
    """End the acting unit's activation; a unit that has not acted stays idle, as a Pinned one must."""
    active = game.state.active
    unit = check_turn(game.state, seat, intent.unit or game.state.acts)
    forbid(is_charging(game.state), "act/must-fight")
    if active is None:
        begin(game, unit.id, "idle").resolve("done")
    end(game, unit.id, idle=unit.pinned and active is None)


IDLE: Final = Verb(
    Label("idle", "i", "Stay idle", "Do nothing this round. A Pinned unit recovers."),
    finish,
    pick("unit", acting),
    when=lambda state, seat: state.active is None,
    gesture=Gesture("unit", rank=9, ends=True),
)
