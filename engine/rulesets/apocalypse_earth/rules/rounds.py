"""A round of close combat: its duels, and the checks of those who lose it (AE-ASLT-07, AE-ASLT-08)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.kit.rules import Game, implements
from engine.rulesets.apocalypse_earth.rules import duels, morale
from engine.rulesets.apocalypse_earth.state.combat_events import RoundFought, RoundLost
from engine.rulesets.apocalypse_earth.state.state import TABLE, Battle, Unit
from protocol.ids import GroupId

ROUND: Final = "round"


@implements("AE-ASLT-08", "AE-ASLT-10")
def fight(game: Game[Battle], number: int, before: Mapping[GroupId, Unit]) -> None:
    """Fight one round: all duels down the line, then checks. `before`: the units as they were before anything of this
    round happened. A side that can put up nobody breaks."""
    combat = game.state.combat(number)
    sides = (combat.chargers, combat.charged)
    for side in sides:
        if not duels.line(game.state, combat, side):
            for id in side:
                if game.state.units[id].where == TABLE:
                    morale.suppress(game, id)
    for duel in duels.pairing(game.state, combat):
        if {duel.charger, duel.charged}.intersection(combat.idle):
            continue  # a contact weapon has taken the place of the duel
        if duel.charger in game.state.figures and duel.charged in game.state.figures:
            duels.fight(game, number, duel)
    lost = (_lost(game.state, sides[0], before), _lost(game.state, sides[1], before))
    game.emit(RoundFought(combat.chargers[0], number, lost))
    beaten = sides[0] if lost[0] > lost[1] else sides[1] if lost[1] > lost[0] else ()
    for unit in game.state.in_order():
        if unit.id in combat.units:
            _check(game, number, before[unit.id], lost=unit.id in beaten)


def _lost(state: Battle, units: Sequence[GroupId], before: Mapping[GroupId, Unit]) -> int:
    """Return the figures that units have lost, those left out who surrendered."""
    return sum(
        len(before[id].figures) - len(state.units[id].figures)
        for id in units
        if state.units[id].captor < 0 and before[id].where == TABLE
    )


@implements("AE-ASLT-08", "AE-MOR-06", "AE-EXP-02")
def _check(game: Game[Battle], number: int, old: Unit, *, lost: bool) -> None:
    """Check a unit that lost figures in a round: for the lost round, with -1 for each that it had to check for before;
    twice over where it lost its leader, even if the round was not lost."""
    state = game.state
    unit = state.units[old.id]
    if unit.where != TABLE or unit.suppressed or len(unit.figures) == len(old.figures):
        return
    led_no_more = old.leader not in unit.figures
    double = led_no_more and state.resolved.options.sarge
    if not (lost or double) or not morale.checks_losses(state, unit, led_no_more=led_no_more):
        return
    combat = state.combat(number)
    modifier = -combat.losses.get(unit.id, 0) if lost else 0
    if lost:
        game.emit(RoundLost(unit.id, number))
    morale.check(game, unit.id, ROUND, modifier, 2 if double else 1)
