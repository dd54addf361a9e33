"""Morale checks and suppression (AE-MOR-01 to -03, AE-MOR-06)."""

from __future__ import annotations

from typing import Final

from engine.kit.pools import DieTest
from engine.kit.rules import Game, Seat, implements
from engine.rulesets.apocalypse_earth.rules import effects, traits
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.morale_events import FigureShaken, MoraleChecked, Suppressed
from engine.rulesets.apocalypse_earth.state.power_events import EffectSpent
from engine.rulesets.apocalypse_earth.state.state import Battle
from protocol.ids import FigureId, GroupId

MORALE: Final = "ae.dice.morale"
AGAIN: Final = "ae.dice.morale_again"
OFFICER: Final = "ae.dice.officer"
CHARGED: Final = "charged"


@implements("AE-MOR-01")
def die(modifier: int = 0) -> DieTest:
    """Return the test of a check: a modified 1 or less fails, a natural 6 passes."""
    return DieTest(min(6, 2 - modifier))


@implements("AE-MOR-01", "AE-OPEN-07", "AE-OPEN-25")
def passes(game: Game[Battle], id: GroupId, why: str, modifier: int = 0, dice: int = 1, *, again: bool = False) -> bool:
    """Roll a check of a unit, of several dice that must all pass; fanatics roll a failed one again once, unless they
    are charged. `again`: an officer lets one failed die be rolled again. Iron faith passes one without dice."""
    unit, test = game.state.units[id], die(modifier)
    seat = Seat(unit.owner)
    if effects.has(unit, effects.IRON_FAITH):
        game.emit(EffectSpent(id, effects.IRON_FAITH))
        return True
    roll = game.roll(test.pool(dice), MORALE, seat)
    failed = dice - test.successes(roll.faces)
    if failed and why != CHARGED and traits.all_have(game.state, unit, profiles.FANATIC):
        roll = game.roll(test.pool(failed), AGAIN, seat)
        failed -= test.successes(roll.faces)
    if failed and again:
        failed -= test.successes(game.roll(test.pool(1), OFFICER, seat).faces)
    game.emit(MoraleChecked(id, why, roll.id, not failed))
    return not failed


@implements("AE-MOR-03")
def suppress(game: Game[Battle], id: GroupId) -> None:
    """Suppress a unit, if it is not already."""
    if not game.state.units[id].suppressed:
        game.emit(Suppressed(id))


@implements("AE-MOR-02", "AE-MOR-03")
def check(game: Game[Battle], id: GroupId, why: str, modifier: int = 0, dice: int = 1) -> bool:
    """Check the morale of a unit, which is suppressed if it fails; return True if it passed."""
    passed = passes(game, id, why, modifier, dice)
    if not passed:
        suppress(game, id)
    return passed


@implements("AE-COH-03", "AE-MOR-02")
def check_figure(game: Game[Battle], figure: FigureId) -> None:
    """Check the morale of a single figure that is out of coherency."""
    unit = game.state.unit_of(figure)
    if not passes(game, unit.id, "coherency"):
        game.emit(FigureShaken(figure))
