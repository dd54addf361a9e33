"""Rounds of a close combat: who meets whom, the duels, and the checks of those who lose (AE-ASLT-05 to -08)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from engine.kit import distributions
from engine.kit.rules import Game, Pool, Seat, implements
from engine.rulesets.apocalypse_earth.rules.harm import casualties
from engine.rulesets.apocalypse_earth.rules.table import aims, stands, traits
from engine.rulesets.apocalypse_earth.rules.turns import morale
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.combat_events import DuelFought, RoundFought, RoundLost
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
ROUND: Final = "round"


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
def pairing(state: Battle, combat: Combat) -> list[Duel]:
    """Return the duels of a round in their order: the first of each side meet, then the second, and so on; what is left
    of the larger side goes round the opponents again, if it may, all fights against one after another."""
    chargers, charged = line(state, combat, combat.chargers), line(state, combat, combat.charged)
    pairs = min(len(chargers), len(charged))
    # in the round of a charge those who charge may put several against one, later both may
    doubles = [not combat.fresh or any(id in side for id in combat.fresh) for side in (combat.chargers, combat.charged)]
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
    total += CHARGING * (unit.id in combat.fresh) + FOLLOWING * follows + FRENZIED * traits.under(unit, traits.FRENZY)
    first_blood = traits.figure_has(state, figure, profiles.ASSASSIN) and id not in combat.fought
    return total + aims.worth(combat.covers.get(id, "open")) - figure.unarmed + FIRST_BLOOD * first_blood


@implements("AE-ASLT-05", "AE-ASLT-09")
def _fight(game: Game[Battle], number: int, duel: Duel) -> None:
    """Fight a duel: the lower total is killed; both dice are rolled again until the totals differ."""
    state = game.state
    combat = state.combat(number)
    pair = (duel.charger, duel.charged)
    owners, follows = [Seat(state.figures[id].owner) for id in pair], (duel.charger_follows, duel.charged_follows)
    adds = [bonus(state, combat, id, before) for id, before in zip(pair, follows, strict=True)]
    totals = (0, 0)
    for _ in range(MOST_TIES):
        first, second = (game.roll(Pool(1), DUEL, seat).total for seat in owners)
        totals = first + adds[0], second + adds[1]
        if totals[0] != totals[1]:
            break
    lost = int(totals[0] > totals[1])
    game.emit(DuelFought(number, *pair, totals))
    casualties.fall(game, state.unit_of(pair[lost]).id, [pair[lost]], owners[1 - lost], "duel")


@implements("AE-ASLT-08", "AE-ASLT-10")
def fight(game: Game[Battle], number: int, before: Mapping[GroupId, Unit]) -> None:
    """Fight one round: all duels down the line, then checks. `before`: the units as they were before anything of this
    round happened. A side that can put up nobody breaks."""
    combat = game.state.combat(number)
    sides = (combat.chargers, combat.charged)
    for side in sides:
        if not line(game.state, combat, side):
            for id in side:
                if game.state.units[id].where == TABLE:
                    morale.suppress(game, id)
    for duel in pairing(game.state, combat):
        if {duel.charger, duel.charged}.intersection(combat.idle):
            continue  # a contact weapon has taken the place of the duel
        if duel.charger in game.state.figures and duel.charged in game.state.figures:
            _fight(game, number, duel)
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


@implements("AE-ASLT-05")
def chance(ahead: int) -> Fraction:
    """Return the chance to win a duel in which one adds so much more than the opponent; ties are rolled again."""
    rolled = distributions.total(1).then(lambda die: distributions.total(1).mapped(lambda other: die - other))
    won = rolled.chance(lambda apart: apart + ahead > 0)
    lost = rolled.chance(lambda apart: apart + ahead < 0)
    return won / (won + lost)
