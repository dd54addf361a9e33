"""Morale checks, those that experience spares, and suppression (AE-MOR-01 to -03, AE-MOR-06, AE-EXP)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from engine.kit.pools import DieTest
from engine.kit.rules import Game, Seat, implements
from engine.rulesets.apocalypse_earth.rules.table import traits
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.fire_events import FigureShaken, MoraleChecked, Suppressed
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit
from engine.rulesets.apocalypse_earth.state.support_events import EffectSpent
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
    if traits.under(unit, traits.IRON_FAITH):
        game.emit(EffectSpent(id, traits.IRON_FAITH))
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


@implements("AE-MOR-01", "AE-OPEN-07", "AE-OPEN-25")
def chance(state: Battle, unit: Unit, why: str) -> Fraction:
    """Return the chance that a unit passes a check of one die."""
    if traits.under(unit, traits.IRON_FAITH):
        return Fraction(1)
    failed = 1 - die().chance
    again = why != CHARGED and traits.all_have(state, unit, profiles.FANATIC)
    return 1 - failed * failed if again else 1 - failed


@implements("AE-MOR-03")
def suppress(game: Game[Battle], id: GroupId) -> None:
    """Suppress a unit."""
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


@implements("AE-EXP-01", "AE-EXP-02", "AE-EXP-03")
def checks_losses(state: Battle, unit: Unit, *, led_no_more: bool) -> bool:
    """Tell if casualties, or a lost round of close combat, call for a check. `led_no_more`: it has just lost its
    leader."""
    match state.profile(unit).experience:
        case "experienced":
            return unit.lost > 1 or led_no_more or (unit.lost > 0 and unit.strength <= 2)
        case "veteran":
            return 2 * unit.lost >= unit.strength
    return True


@implements("AE-EXP-01", "AE-EXP-02", "AE-EXP-03")
def checks_charge(state: Battle, unit: Unit, chargers: int) -> bool:
    """Tell if a charge by so many figures calls for a check: of veterans only by twice their number."""
    return state.profile(unit).experience != "veteran" or chargers >= 2 * len(unit.figures)


@implements("AE-EXP-01", "AE-EXP-02", "AE-EXP-03")
def checks_coherency(state: Battle, unit: Unit) -> bool:
    """Tell if figures out of coherency check: those of green units alone."""
    return state.profile(unit).experience == "green"
