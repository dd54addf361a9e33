"""Casualties of fire and blasts: random figures, and what follows for their units (AE-GEN-04, -05, AE-FIRE-09)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from engine.kit.pools import DieTest
from engine.kit.rules import Game, Pool, Seat, implements
from engine.rulesets.apocalypse_earth.rules.harm import hits
from engine.rulesets.apocalypse_earth.rules.table import hiding, meetings, stands, traits
from engine.rulesets.apocalypse_earth.rules.turns import morale, officers, surrender
from engine.rulesets.apocalypse_earth.state.captive_events import FigureStunned
from engine.rulesets.apocalypse_earth.state.fire_events import FiguresFell
from engine.rulesets.apocalypse_earth.state.profiles import SupportCard, Weapon
from engine.rulesets.apocalypse_earth.state.state import NOBODY, TABLE, Battle, Unit
from protocol.ids import FigureId, GroupId

KILL: Final = "ae.dice.kill"
RANDOM: Final = "ae.dice.random_figure"
LOSSES: Final = "losses"
CREW: Final = "crew"
CONDITION: Final = "ae.dice.condition"
STUNNED, WOUNDED = 6, 3
"""AE-CAS-01: dice that leave a figure stunned, and that leave it alive."""
DUCKS: Final = 600
TENDED: Final = ("shot", "blast")
"""Casualties that a medic may help."""


@implements("AE-GEN-05")
def pick_random(game: Game[Battle], seat: Seat, figures: Sequence[FigureId], count: int) -> list[FigureId]:
    """Return so many random figures out of several: a die with as many faces as are left, one after another."""
    left, found = list(figures), []
    for _ in range(min(count, len(left))):
        sides = len(left)
        found.append(left.pop(game.roll(Pool(1, sides), RANDOM, seat).total - 1 if sides > 1 else 0))
    return found


@implements("AE-FIRE-07")
def fall(game: Game[Battle], id: GroupId, figures: Sequence[FigureId], by: int = NOBODY, how: str = "shot") -> None:
    """Remove casualties of a unit at once, owed to a seat; a hidden unit is revealed by them, whoever saves them."""
    there = tuple([figure for figure in figures if figure in game.state.units[id].figures])
    if there:
        hiding.reveal(game, id, "hurt")
    if how in TENDED and not game.state.resolved.options.casualties:
        there = tuple(officers.tend(game, id, there))
    down: tuple[FigureId, ...] = ()
    if there and how in TENDED and game.state.resolved.options.casualties:
        there, down = _conditions(game, id, there)
    if there:
        game.emit(FiguresFell(id, there, by, how, down))


@implements("AE-CAS-01")
def _conditions(
    game: Game[Battle], id: GroupId, hit: Sequence[FigureId]
) -> tuple[tuple[FigureId, ...], tuple[FigureId, ...]]:
    """Roll for the condition of each figure that was hit: the stunned go into cover near by, the others fall. Return
    who falls, and who of them is wounded."""
    faces = game.roll(Pool(len(hit)), CONDITION, Seat(game.state.units[id].owner)).faces
    rolled = dict(zip(hit, faces, strict=True))
    for figure, face in rolled.items():
        if face == STUNNED:
            game.emit(FigureStunned(id, figure, 2 if game.state.acts == id else 1))
            _duck(game, id, figure)
    fallen = tuple([figure for figure, face in rolled.items() if face < STUNNED])
    return fallen, tuple([figure for figure in fallen if rolled[figure] >= WOUNDED])


def _duck(game: Game[Battle], id: GroupId, figure: FigureId) -> None:
    """Move a stunned figure to the nearest cover, if there is any near."""
    state, is_covered = game.state, partial(hiding.is_covered, game.state)
    if not is_covered(state.figures[figure].at):
        to = stands.free_place(state, state.units[id], figure, is_covered, DUCKS)
        if to is not None:
            meetings.move(game, id, {figure: (state.figures[figure].at, to)}, "cover")


@implements("AE-OPEN-02")
def fall_under(
    game: Game[Battle],
    id: GroupId,
    figures: Sequence[FigureId],
    arms: Weapon | SupportCard,
    kill: int,
    by: Seat,
    how: str,
) -> int:
    """Roll for figures of a unit under a template: on the kill number, and through their armour, they fall. Return how
    many did."""
    to = hiding.audience(game.state.units[id])
    fallen = DieTest(kill).passing(game, by, figures, KILL, to)
    armour = traits.infantry(game.state, game.state.units[id]).armour
    fallen = [figure for figure in fallen if not armour or hits.pierced(game, by, arms, to) >= armour]
    fall(game, id, fallen, by, how)
    return len(fallen)


@implements("AE-FIRE-09", "AE-GEN-04", "AE-OPEN-16")
def settle(game: Game[Battle], before: Mapping[GroupId, Unit], spared: Sequence[GroupId] = ()) -> None:
    """Check the morale of every unit that has lost figures since `before`, and of every crew whose vehicle has been
    penetrated, once, in unit order, and let those surrender who must. `spared`: units that do not check, such as
    chargers under fire."""
    for unit in game.state.in_order():
        old, now = before.get(unit.id, unit), game.state.units[unit.id]
        is_shot = len(now.figures) < len(old.figures) and old.where == now.where == TABLE
        if is_shot and now.id not in spared:
            _check_losses(game, old, now)
            surrender.look(game)
        if now.hull.penetrated > old.hull.penetrated and now.where == TABLE and not now.suppressed:
            morale.check(game, now.id, CREW)
    surrender.look(game)


@implements("AE-MOR-06", "AE-FIRE-09")
def _check_losses(game: Game[Battle], old: Unit, now: Unit) -> None:
    if now.suppressed:
        return
    led_no_more = old.leader not in now.figures
    if morale.checks_losses(game.state, now, led_no_more=led_no_more):
        double = led_no_more and game.state.resolved.options.sarge
        morale.check(game, now.id, LOSSES, dice=2 if double else 1)
