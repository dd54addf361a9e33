"""Duels of a close combat: who meets whom, what counts, and the dice (AE-ASLT-05 to -07)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final, NamedTuple

from engine.kit import distributions
from engine.kit.rules import Game, Pool, Seat, implements
from engine.rulesets.apocalypse_earth.rules import aims, casualties, effects, stands, traits
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.combat_events import DuelFought
from engine.rulesets.apocalypse_earth.state.lasting import Combat
from engine.rulesets.apocalypse_earth.state.state import TABLE, Battle, Unit
from protocol.ids import FigureId, GroupId

DUEL: Final = "ae.dice.duel"
CHARGING: Final = 1
FOLLOWING: Final = 1
"""AE-ASLT-06: what a charge adds, and each figure that took on the same opponent before."""
FIRST_BLOOD: Final = 2
"""AE-OPEN-07: what an assassin adds in its first duel."""
FRENZIED: Final = 2
"""AE-OPEN-25: what the power adds."""
MOST_TIES: Final = 100


class Duel(NamedTuple):
    """A figure of those who began the combat, its opponent, and how many took on the same opponent before each."""

    charger: FigureId
    charged: FigureId
    charger_follows: int = 0
    charged_follows: int = 0


@implements("AE-ASLT-07")
def by_number(unit: Unit) -> tuple[FigureId, ...]:
    """Return the usual order of a unit's figures: by number, the leader last."""
    return (*unit.figures[1:], unit.leader)


@implements("AE-ASLT-07", "AE-COH-03")
def line(state: Battle, combat: Combat, units: Iterable[GroupId]) -> list[FigureId]:
    """Return the figures of one side in a line, unit after unit: those in coherency that are not suppressed on their
    own."""
    found: list[FigureId] = []
    for unit in [state.units[id] for id in units if state.units[id].where == TABLE]:
        out = stands.loose(state, unit)
        order = combat.lines.get(unit.id, by_number(unit))
        found += [id for id in order if id in unit.figures and id not in out and not state.figures[id].shaken]
    return found


@implements("AE-ASLT-07")
def may_double(state: Battle, combat: Combat) -> tuple[bool, bool]:
    """Tell if those who began a combat, and the others, may put several figures against one opponent: in the round of a
    charge those who charge, later both."""
    if not combat.fresh:
        return True, True
    return any(id in combat.chargers for id in combat.fresh), any(id in combat.charged for id in combat.fresh)


@implements("AE-ASLT-07")
def pairing(state: Battle, combat: Combat) -> list[Duel]:
    """Return the duels of a round in their order: the first of each side meet, then the second, and so on; what is left
    of the larger side goes round the opponents again, if it may, all fights against one after another."""
    chargers, charged = line(state, combat, combat.chargers), line(state, combat, combat.charged)
    pairs = min(len(chargers), len(charged))
    doubles = may_double(state, combat)
    found: list[Duel] = []
    for place in range(pairs):
        found.append(Duel(chargers[place], charged[place]))
        if doubles[0]:
            found += [Duel(one, charged[place], n, 0) for n, one in enumerate(chargers[place + pairs :: pairs], 1)]
        if doubles[1]:
            found += [Duel(chargers[place], one, 0, n) for n, one in enumerate(charged[place + pairs :: pairs], 1)]
    return found


@implements("AE-ASLT-06")
def bonus(state: Battle, combat: Combat, id: FigureId, follows: int = 0) -> int:
    """Return what a figure adds to its die: its rating, its charge, its cover, those before it."""
    unit, figure = state.unit_of(id), state.figures[id]
    total = traits.infantry(state, unit).ccr + max([arm.ccr for arm in state.weapons_of(figure)], default=0)
    total += CHARGING * (unit.id in combat.fresh) + FOLLOWING * follows
    total += aims.worth(combat.covers.get(id, "open"))
    total -= figure.unarmed
    total += FRENZIED * effects.has(unit, effects.FRENZY)
    if traits.figure_has(state, figure, profiles.ASSASSIN) and id not in combat.fought:
        total += FIRST_BLOOD
    return total


@implements("AE-ASLT-05", "AE-ASLT-09")
def fight(game: Game[Battle], number: int, duel: Duel) -> None:
    """Fight a duel: the lower total is killed; both dice are rolled again until the totals differ."""
    state = game.state
    combat = state.combat(number)
    pair = (duel.charger, duel.charged)
    owners = [Seat(state.figures[id].owner) for id in pair]
    adds = [bonus(state, combat, duel.charger, duel.charger_follows)]
    adds.append(bonus(state, combat, duel.charged, duel.charged_follows))
    totals = (0, 0)
    for _ in range(MOST_TIES):
        rolled = [game.roll(Pool(1), DUEL, seat).total for seat in owners]
        totals = rolled[0] + adds[0], rolled[1] + adds[1]
        if totals[0] != totals[1]:
            break
    lost = int(totals[0] > totals[1])
    unit = game.state.unit_of(pair[lost]).id
    game.emit(DuelFought(number, *pair, totals))
    casualties.fall(game, unit, [pair[lost]], owners[1 - lost], "duel")


@implements("AE-ASLT-05")
def chance(ahead: int) -> Fraction:
    """Return the chance to win a duel in which one adds so much more than the opponent; ties are rolled again."""
    rolled = distributions.total(1).then(lambda die: distributions.total(1).mapped(lambda other: die - other))
    won = rolled.chance(lambda apart: apart + ahead > 0)
    lost = rolled.chance(lambda apart: apart + ahead < 0)
    return won / (won + lost)
