"""The end of an action, by its player or by itself, and units that act by doing nothing (AE-TURN-01, -02)."""

from __future__ import annotations

from typing import Final

from engine.kit.rules import Game, Gesture, Intent, Label, Seat, Verb, forbid, implements
from engine.rulesets.apocalypse_earth.rules import (
    activations,
    coherency,
    combats,
    devices,
    firing,
    psychic,
    rallying,
    support,
)
from engine.rulesets.apocalypse_earth.rules.picking import Choosing, pick
from engine.rulesets.apocalypse_earth.state.state import BATTLE, FIRE, MOVE, OVER, Battle, Unit
from protocol.ids import NO_GROUP, GroupId


class Finish(Intent, frozen=True, tag="ae.finish"):
    """End of the acting unit's action; without one, `unit` acts by doing nothing."""

    unit: GroupId = NO_GROUP


LEFT: Final = (firing.may_still_fire, support.may_still_call, devices.may_still_lay, psychic.may_still_try)
"""Acts that are open to a unit after a move, or without one."""


@implements("AE-TURN-02")
def is_left(state: Battle) -> bool:
    """Tell if the acting unit has anything left to do: a step before its fire, or something to fire at."""
    active = state.active
    if active is None or active.step > FIRE:
        return False
    unit = state.units[active.unit]
    return active.step == MOVE or any(may_still(state, unit) for may_still in LEFT)


@implements("AE-TURN-01", "AE-TURN-02")
async def finish(game: Game[Battle], seat: Seat, intent: Finish) -> None:
    """End the acting unit's action, or let a unit do nothing: a suppressed one tries to rally all the same, an
    engaged one fights a round."""
    unit = activations.check_turn(game.state, seat, intent.unit or game.state.acts)
    forbid(bool(intent.unit) and game.state.active is not None and intent.unit != game.state.acts, "act/another-acts")
    activations.begin(game, unit.id)
    if coherency.must_leave(game.state, game.state.units[unit.id]):
        coherency.leave(game, unit.id)
    if rallying.may_try(game.state, game.state.units[unit.id]):
        rallying.attempt(game, unit.id)
    combats.fight_round(game, unit.id)
    activations.end(game, unit.id)


def _waiting(draft: Choosing) -> list[Unit]:
    return activations.acting(draft.state, draft.seat, OVER)


STAND: Final = Verb(
    Label("stand", "i", "Do nothing", "The unit has then acted. It may still give defensive fire."),
    finish,
    pick("unit", _waiting),
    when=lambda state, seat: state.phase == BATTLE and state.active is None,
    gesture=Gesture("unit", rank=9, ends=True),
)
FINISH: Final = Verb(
    Label("finish", "e", "Done", "End this unit's action.", "This unit can still do something. End its action?"),
    finish,
    when=lambda state, seat: state.phase == BATTLE and state.active is not None,
    gesture=Gesture(rank=9, ends=True),
    about=activations.about,
    asks=lambda state, seat: is_left(state),
)
