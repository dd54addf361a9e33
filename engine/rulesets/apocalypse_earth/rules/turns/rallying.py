"""Rallies of suppressed units and figures (AE-MOR-05, AE-QA-02)."""

from __future__ import annotations

from typing import Final

from engine.kit.rules import Game, Gesture, Label, Seat, Verb, forbid, implements
from engine.kit.units import UnitIntent
from engine.rulesets.apocalypse_earth.rules.table import traits
from engine.rulesets.apocalypse_earth.rules.turns import activations, coherency, morale, officers, surrender
from engine.rulesets.apocalypse_earth.rules.turns.picking import pick
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.fire_events import FigureShaken, RallyTried
from engine.rulesets.apocalypse_earth.state.state import MOVE, TABLE, Battle, Unit
from protocol.ids import GroupId

SHOT_AT: Final = 2
"""AE-QA-02: the least number of checks of a unit that was fired at from afar while it was suppressed."""


class Rally(UnitIntent, frozen=True, tag="ae.rally"):
    """Attempt of a suppressed unit to rally, which is its action."""


@implements("AE-MOR-05", "AE-QA-02", "AE-OPEN-07")
def checks(state: Battle, unit: Unit) -> int:
    """Return the number of checks of a unit's attempt: one, and one more for each casualty of this turn; one fewer with
    its Leader."""
    led = bool(traits.bearers(state, unit, profiles.LEADER))
    lost = unit.hull.penetrated if traits.drives(state, unit) else unit.lost
    return max(1 + lost - led, SHOT_AT if unit.shot else 1)


@implements("AE-MOR-05")
def attempt(game: Game[Battle], id: GroupId) -> None:
    """Let a suppressed unit try to rally; one that fails may have to surrender."""
    unit = game.state.units[id]
    again = officers.inspires(game.state, unit)
    passed = morale.passes(game, id, "rally", dice=checks(game.state, unit), again=again)
    game.emit(RallyTried(id, passed))
    if not passed:
        surrender.look(game)


@implements("AE-COH-03")
def steady(game: Game[Battle], id: GroupId) -> None:
    """Let each figure of a unit that is suppressed on its own try to rally with a die of its own."""
    for figure in game.state.members(game.state.units[id]):
        if figure.shaken and figure.id in game.state.figures and morale.passes(game, id, "rally"):
            game.emit(FigureShaken(figure.id, shaken=False))


@implements("AE-MOR-05", "AE-TURN-02")
def may_try(state: Battle, unit: Unit) -> bool:
    """Tell if a unit is suppressed and has made no attempt in this turn."""
    return unit.suppressed and not unit.tried and unit.where == TABLE and state.combat_of(unit.id) is None


@implements("AE-MOR-05", "AE-TURN-02")
async def rally(game: Game[Battle], seat: Seat, rally: Rally) -> None:
    """Spend a unit's action on its attempt to rally."""
    unit = activations.check_turn(game.state, seat, rally.unit)
    forbid(coherency.must_leave(game.state, unit), "act/burning")
    forbid(not may_try(game.state, unit), "rally/steady")
    rallying = activations.declare(game, "rally", unit.id)
    activations.begin(game, unit.id)
    attempt(game, unit.id)
    rallying.resolve("failed" if game.state.units[unit.id].suppressed else "done")
    activations.end(game, unit.id)


@implements("AE-MOR-05")
async def rally_all(game: Game[Battle]) -> None:
    """Let all suppressed units try to rally that have not yet, in unit order."""
    for unit in game.state.in_order():
        if may_try(game.state, game.state.units[unit.id]):
            attempt(game, unit.id)
        if not game.state.units[unit.id].suppressed:
            steady(game, unit.id)


RALLY: Final = Verb(
    Label("rally", "y", "Rally", "One check, and one more for each casualty of this turn: all must pass."),
    rally,
    pick(
        "unit", lambda draft: [u for u in activations.acting(draft.state, draft.seat, MOVE) if may_try(draft.state, u)]
    ),
    gesture=Gesture("unit", rank=1, ends=True),
)
