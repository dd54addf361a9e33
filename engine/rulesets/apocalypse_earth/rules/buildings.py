"""Buildings under fire: penetrations, those inside, collapse (AE-BLD-02, AE-BLD-03, AE-OPEN-28)."""

from __future__ import annotations

from typing import Final

from engine.kit.pools import DieTest
from engine.kit.rules import Game, Seat, implements
from engine.rulesets.apocalypse_earth.rules import casualties, ground, hiding, hits, traits
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.combat_events import BuildingHit, FeatureChanged
from engine.rulesets.apocalypse_earth.state.profiles import SupportCard, Weapon
from engine.rulesets.apocalypse_earth.state.state import TABLE, Battle, Unit
from protocol.ids import FigureId

COLLAPSE: Final = "ae.dice.collapse"
SURVIVES: Final = DieTest(5)
"""AE-OPEN-28: in a collapse 1 to 4 is a casualty."""
FRAG: Final = "fr"
"""AE-BLD-03: the grenade as by which those inside are hit."""
Arms = Weapon | SupportCard


@implements("AE-BLD-02")
def inside(state: Battle, house: str) -> list[tuple[Unit, list[FigureId]]]:
    """Return the figures inside a building or another piece of terrain, of all sides, unit by unit in the order in
    which things happen at once."""
    area = ground.scenery_of(state).area(house)
    found: list[tuple[Unit, list[FigureId]]] = []
    for unit in state.in_order():
        if unit.where == TABLE and not traits.drives(state, unit):
            figures = [figure.id for figure in state.members(unit) if area.holds(figure.at)]
            if figures:
                found.append((unit, figures))
    return found


def stands(state: Battle, house: str) -> bool:
    """Tell if a building stands: it has not collapsed or burnt out."""
    return any(one.id == house for one in ground.buildings(state))


@implements("AE-BLD-02", "AE-BLD-03", "AE-OPEN-28")
def hit(game: Game[Battle], house: str, arms: Arms, count: int, seat: Seat) -> None:
    """Resolve hits on a building, one after another: one that penetrates strikes a random figure inside, or, by a
    weapon of high calibre, all of them as a frag grenade does; so many of these bring the building down."""
    rating = ground.terrain(game.state, house).armour
    high, through = arms.has(profiles.HIGH), hits.penetrations(game, seat, arms, count, rating)
    for _ in range(through):
        if high:
            sweep(game, house, game.state.resolved.weapons[FRAG], seat)
        else:
            _strike_one(game, house, seat)
    game.emit(BuildingHit(house, arms.id, count, through, high=high))
    if game.state.breaches.get(house, 0) >= ground.terrain(game.state, house).falls:
        collapse(game, house, seat)


@implements("AE-BLD-02", "AE-GEN-05")
def _strike_one(game: Game[Battle], house: str, seat: Seat) -> None:
    """Remove a random figure of those inside, a hidden one only where nobody else is: what goes through walls goes
    through any armour that men wear."""
    there = inside(game.state, house)
    struck = [one for one in there if not one[0].hidden] or there
    for id in casualties.pick_random(game, seat, [id for _, figures in struck for id in figures], 1):
        casualties.fall(game, game.state.unit_of(id).id, [id], seat)


@implements("AE-BLD-03", "AE-BLD-06")
def sweep(game: Game[Battle], house: str, weapon: Weapon, seat: Seat, how: str = "blast") -> None:
    """Hit all inside a building, or another piece of terrain, with a weapon's template, as if in hard cover."""
    assert weapon.template is not None
    assert weapon.template.kills is not None
    for unit, figures in inside(game.state, house):
        casualties.fall_under(game, unit.id, figures, weapon, weapon.template.kills.hard, seat, how)


@implements("AE-OPEN-28")
def collapse(game: Game[Battle], house: str, seat: Seat) -> None:
    """Bring a building down: each figure inside falls on 1 to 4; those left stand in the ruins."""
    for unit, figures in inside(game.state, house):
        left = SURVIVES.passing(game, seat, figures, COLLAPSE, hiding.audience(unit))
        casualties.fall(game, unit.id, [id for id in figures if id not in left], seat, "collapse")
    game.emit(FeatureChanged(house, ground.left_of(game.state, house), "collapsed"))
