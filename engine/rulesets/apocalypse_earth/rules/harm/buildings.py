"""Buildings and other terrain under fire: those inside, collapse, what burns (AE-BLD-02 to -04, AE-FIRES-01, -03)."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from engine.kit.pools import DieTest
from engine.kit.rules import Game, Seat, implements
from engine.rulesets.apocalypse_earth.rules.harm import casualties, damage, hits
from engine.rulesets.apocalypse_earth.rules.table import ground, hiding, hulls, traits
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.combat_events import BuildingHit, FeatureChanged, FeatureParted, FireStarted
from engine.rulesets.apocalypse_earth.state.lasting import Blaze
from engine.rulesets.apocalypse_earth.state.model import Feature
from engine.rulesets.apocalypse_earth.state.profiles import QUARTERS, SupportCard, Weapon
from engine.rulesets.apocalypse_earth.state.state import NOBODY, TABLE, Battle, Unit
from engine.space.terrain.templates import Disc, Patch
from engine.space.vectors.outlines import is_convex, sliced
from engine.space.vectors.points import box_of
from protocol.ids import FigureId

COLLAPSE: Final = "ae.dice.collapse"
SURVIVES: Final = DieTest(5)
"""AE-OPEN-28: in a collapse 1 to 4 is a casualty."""
FRAG: Final = "fr"
"""AE-BLD-03: the grenade as by which those inside are hit."""
Arms = Weapon | SupportCard
LONG: Final = 2400
PIECE: Final = 1200
"""AE-FIRES-02: a piece longer than the first burns as sections of at most the second."""
FLAMER: Final = "ft"
"""AE-FIRES-03: the weapon as by which those in a fire are hit."""


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


@implements("AE-BLD-02", "AE-BLD-03")
def hit(game: Game[Battle], house: str, arms: Arms, count: int, seat: Seat) -> None:
    """Resolve hits on a building, one after another: one that penetrates strikes a random figure inside, a hidden one
    only where nobody else is, whatever armour it wears; by a weapon of high calibre all of them as a frag grenade does,
    and so many of these bring the building down."""
    rating = ground.terrain(game.state, house).armour
    high, through = arms.has(profiles.HIGH), hits.penetrations(game, seat, arms, count, rating)
    for _ in range(through):
        if high:
            sweep(game, house, game.state.resolved.weapons[FRAG], seat)
            continue
        there = inside(game.state, house)
        struck = [one for one in there if not one[0].hidden] or there
        for id in casualties.pick_random(game, seat, [id for _, figures in struck for id in figures], 1):
            casualties.fall(game, game.state.unit_of(id).id, [id], seat)
    game.emit(BuildingHit(house, arms.id, count, through, high=high))
    if game.state.breaches.get(house, 0) >= ground.terrain(game.state, house).falls:
        collapse(game, house, seat)


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


@implements("AE-FIRES-01")
def catches(state: Battle, feature: Feature) -> bool:
    """Tell if a piece of terrain can catch fire: it is flammable, and does not burn yet."""
    flammable = state.resolved.options.fires and state.resolved.terrain[feature.kind].flammable
    return flammable and feature.id not in ground.burning(state)


@implements("AE-FIRES-02")
def sections(state: Battle, feature: Feature) -> tuple[Feature, ...]:
    """Return the sections as which a piece burns: itself unless it is long; a building burns whole, and so
    does what is not convex."""
    kind, (left, bottom, right, top) = state.resolved.terrain[feature.kind], box_of(feature.outline)
    if max(right - left, top - bottom) <= LONG or kind.building or not (kind.line or is_convex(feature.outline)):
        return (feature,)
    lines = pairwise(feature.outline) if kind.line else (feature.outline,)
    parts = [part for line in lines for part in sliced(line, PIECE)]
    return tuple([Feature(f"{feature.id}.{n}", feature.kind, part) for n, part in enumerate(parts, 1)])


def part(game: Game[Battle], feature: Feature) -> tuple[Feature, ...]:
    """Divide a long piece into its sections, and return them."""
    found = sections(game.state, feature)
    if len(found) < 2:
        return (feature,)
    game.emit(FeatureParted(feature.id, found))
    return found


@implements("AE-FIRES-01", "AE-BLD-04")
async def ignite(game: Game[Battle], shape: Disc | Patch, arms: Arms, seat: Seat, without: str = "") -> None:
    """Set alight each flammable piece that a template with Fire touches; a strip of flame harms all inside a building
    that it touches, whether that burns or not. `without`: a building that it leaves alone."""
    if not arms.has(profiles.FIRE):
        return
    for feature in [one for one in game.state.features if one.id != without and shape.meets(one.outline)]:
        if catches(game.state, feature):
            for section in part(game, feature):
                if shape.meets(section.outline):
                    await start(game, section.id, seat)
        elif isinstance(shape, Patch) and ground.terrain(game.state, feature.id).building:
            await burn(game, feature.id, seat)


@implements("AE-FIRES-01")
async def catch(game: Game[Battle], feature: str, arms: Arms, seat: Seat) -> None:
    """Set a building alight into which something with Fire has been put."""
    if arms.has(profiles.FIRE) and catches(game.state, ground.feature(game.state, feature)):
        await start(game, feature, seat)


@implements("AE-FIRES-01")
async def start(game: Game[Battle], feature: str, seat: int = NOBODY, *, spread: bool = False) -> None:
    """Set a piece of terrain alight: those in it are hit at once, owed to a seat."""
    game.emit(FireStarted(Blaze(feature, game.state.turn), spread))
    await burn(game, feature, seat)


@implements("AE-FIRES-03")
async def burn(game: Game[Battle], feature: str, seat: int = NOBODY) -> None:
    """Hit those in a piece of terrain as a flamethrower does, vehicles where their armour is weakest; along a hedge
    nobody is inside."""
    state, flamer, by = game.state, game.state.resolved.weapons[FLAMER], Seat(seat)
    if ground.terrain(state, feature).line:
        return
    sweep(game, feature, flamer, by, "burnt")
    area = ground.scenery_of(state).area(feature)
    for unit in [one for one in state.standing() if traits.drives(state, one)]:
        armour = hulls.vehicle(state, unit).armour
        part = min(QUARTERS, key=armour.of)
        if area.holds(state.leader(unit).at) and hits.pierced(game, by, flamer) >= armour.of(part):
            await damage.roll_damage(game, unit.id, part, by)


@implements("AE-FIRES-02")
def burn_out(game: Game[Battle], feature: str) -> None:
    """Put a fire out: trees and hedges become open ground, buildings ruins; what cannot burn of itself, a wreck, stays
    as it is."""
    left = ground.left_of(game.state, feature)
    stays = (ground.feature(game.state, feature),)
    game.emit(FeatureChanged(feature, left if ground.terrain(game.state, feature).flammable else stays, "burnt"))
