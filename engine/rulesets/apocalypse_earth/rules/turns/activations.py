"""Actions of units and their steps (AE-TURN-02, AE-GEN-03)."""

from __future__ import annotations

from engine.kit.activations import waits_for_end
from engine.kit.rules import Game, Pending, forbid, implements
from engine.kit.units import about as about, declare as declare
from engine.rulesets.apocalypse_earth.rules.table import hiding
from engine.rulesets.apocalypse_earth.rules.turns import coherency, turns
from engine.rulesets.apocalypse_earth.state.state import BATTLE, GONE, MOVE, SPENT, Battle, Unit
from engine.rulesets.apocalypse_earth.state.turn_events import ActionEnded, Activated, StepTaken
from protocol.ids import NO_GROUP, GroupId


@implements("AE-TURN-01", "AE-GEN-03")
def check_turn(state: Battle, seat: int, id: GroupId) -> Unit:
    """Return the unit if it may act now, or is acting. Raises IllegalIntent."""
    unit = state.check_acting(seat, id, fights=state.phase == BATTLE)
    forbid(not turns.can_act(state, unit), "act/done")
    return unit


@implements("AE-TURN-02", "AE-MOR-03")
def check_step(state: Battle, seat: int, id: GroupId, step: int) -> Unit:
    """Return the unit if this step of its action is still open: not of one that is suppressed or engaged. Raises
    IllegalIntent."""
    unit = check_turn(state, seat, id)
    forbid(state.active is not None and state.active.step > step, "act/step-past")
    forbid(unit.suppressed, "act/suppressed")
    forbid(coherency.must_leave(state, unit), "act/burning")
    forbid(state.combat_of(id) is not None, "act/engaged")
    return unit


def acting(state: Battle, seat: int, step: int) -> list[Unit]:
    """Return the units for which a step may be open: the one that acts, or all that can."""
    if state.phase != BATTLE:
        return []
    if state.active is None:
        return turns.waiting(state, seat)
    return [state.units[state.active.unit]] if state.active.step <= step else []


def begin(game: Game[Battle], id: GroupId) -> None:
    """Begin a unit's action, unless it is acting already: a hidden one reveals itself, overwatch is given up."""
    if game.state.active is None:
        hiding.reveal(game, id, "acts")
        game.emit(Activated(id))


def start(
    game: Game[Battle], kind: str, id: GroupId, target: GroupId = NO_GROUP, *, step: int = MOVE
) -> Pending[Battle]:
    """Declare what a unit does in its action, in a step that closes those before; whoever carries it out resolves
    it."""
    declared = declare(game, kind, id, target)
    begin(game, id)
    take(game, step)
    return declared


def take(game: Game[Battle], step: int) -> None:
    """Close the steps of the action before this one."""
    if game.state.active is not None and game.state.active.step < step:
        game.emit(StepTaken(step))


@implements("AE-TURN-01", "AE-SEAT-02")
def end(game: Game[Battle], id: GroupId) -> None:
    """End a unit's action; the next seat goes on."""
    game.emit(ActionEnded(id))
    turns.hand_over(game, game.state.units[id].owner)


@implements("AE-TURN-02")
def close(game: Game[Battle], id: GroupId) -> None:
    """End the action of a unit that has nothing left to do, or, of one that is still in play, leave it to its player to
    end it."""
    unit = game.state.units[id]
    if unit.where != GONE and waits_for_end(game, unit.owner):
        game.emit(StepTaken(SPENT))
    else:
        end(game, id)
