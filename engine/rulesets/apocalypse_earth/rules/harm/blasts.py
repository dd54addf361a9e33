"""Templates on the table: points that deviate, the figures that are touched and killed (AE-OPEN-02, AE-GEN-05)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from engine.kit.pools import DieTest
from engine.kit.rules import Game, Pool, Seat, implements
from engine.rulesets.apocalypse_earth.rules.harm import buildings, casualties, damage, hits
from engine.rulesets.apocalypse_earth.rules.table import aims, ground, traits
from engine.rulesets.apocalypse_earth.state.captive_events import PrisonersFell
from engine.rulesets.apocalypse_earth.state.fire_events import BlastLanded, SmokeLaid
from engine.rulesets.apocalypse_earth.state.lasting import Cloud
from engine.rulesets.apocalypse_earth.state.profiles import BOMB, FIRE, SMOKE, Cover, Kills, SupportCard, Weapon
from engine.rulesets.apocalypse_earth.state.state import Battle, Figure, Unit
from engine.rulesets.apocalypse_earth.state.vehicle_events import BurstSpent
from engine.space.terrain.contact import Base
from engine.space.terrain.templates import Disc, Patch, strip
from engine.space.vectors.headings import UNIT, heading
from engine.space.vectors.points import Point, divide, floor_sqrt, squared
from protocol.ids import NO_FIGURE, FigureId, GroupId

Arms = Weapon | SupportCard
"""Source of a template: both have a template, traits and a penetration."""
CLOCK: Final = 12
HOUR: Final = 30
DIRECTION: Final = "ae.dice.direction"
CENTIMETRE: Final = 100


class Blast(NamedTuple):
    """A template that lands: its shape, the place from which it is seen (its centre, of a strip the firer), what it
    comes from, and the seat whose it is; `spared`: a figure or vehicle that it does not touch; `house`: a building out
    of which it comes, which it leaves alone."""

    shape: Disc | Patch
    at: Point
    arms: Arms
    seat: Seat
    spared: FigureId = NO_FIGURE
    house: str = ""


def circle(arms: Arms, at: Point, seat: Seat, spared: FigureId = NO_FIGURE) -> Blast:
    """Return a circle around a place."""
    assert arms.template is not None
    return Blast(Disc(at, arms.template.circle), at, arms, seat, spared)


def flame(arms: Arms, at: Point, facing: int, seat: Seat, spared: FigureId = NO_FIGURE, house: str = "") -> Blast:
    """Return a strip from a firer along a heading, out of a building where there is one."""
    assert arms.template is not None
    return Blast(strip(at, facing, *arms.template.strip), at, arms, seat, spared, house)


@implements("AE-OPEN-02", "AE-BLD-01")
def _is_walled_off(state: Battle, blast: Blast, at: Point) -> bool:
    """Tell if a place is inside a building, or behind one as seen from where a template is seen."""
    return any(
        house.holds(at) if house.id == blast.house else house.pierced_by(blast.at, at)
        for house in ground.buildings(state)
    )


@implements("AE-OPEN-02")
def touched(state: Battle, blast: Blast) -> Iterator[tuple[Unit, Figure]]:
    """Yield the infantry figures that a template touches, of all sides, hidden ones too, in the order in which things
    happen at once: none inside a building, or behind one as seen from its centre."""
    for unit in state.in_order():
        if unit.where != "table" or traits.drives(state, unit):
            continue
        for figure in state.members(unit):
            if figure.id == blast.spared or not blast.shape.touches(Base(figure.id, figure.at, traits.RADIUS)):
                continue
            if not _is_walled_off(state, blast, figure.at):
                yield unit, figure


async def land(game: Game[Battle], blast: Blast) -> int:
    """Let a template land, and whatever it blows up. Return how many figures it killed itself."""
    killed = await _land(game, blast)
    await burst(game)
    return killed


@implements("AE-OPEN-19", "AE-OPEN-18")
async def burst(game: Game[Battle]) -> None:
    """Let all vehicles blow up that have been hit so, one after the other, before anything else happens."""
    while game.state.bursts:
        one, resolved = game.state.bursts[0], game.state.resolved
        game.emit(BurstSpent(one))
        bomb, boom = resolved.traits.get(BOMB), resolved.codes["boom"]
        arms = Weapon(boom.id, boom.name, 0, 1, template=boom.template)
        if one.trait and bomb is not None:
            arms = Weapon(bomb.id, bomb.name, 0, 1, bomb.penetration, template=bomb.template)
        await _land(game, circle(arms, one.at, Seat(one.seat)))


@implements("AE-OPEN-02")
async def _strike_vehicles(game: Game[Battle], blast: Blast) -> None:
    """Hit every vehicle once that a template touches and no building hides from its centre."""
    for unit in game.state.in_order():
        if unit.where != "table" or not traits.drives(game.state, unit) or unit.leader == blast.spared:
            continue
        [base] = traits.bases(game.state, unit)
        if blast.shape.touches(base) and not _is_walled_off(game.state, blast, base.at):
            await damage.strike(game, unit.id, blast.arms, blast.at, 1, blast.seat)


@implements("AE-POW-01")
def _kill_prisoners(game: Game[Battle], blast: Blast, kills: Kills) -> None:
    """Roll for prisoners under a template."""
    held = [game.state.figures[id] for group in game.state.prisoners for id in group.figures]
    under = [one.id for one in held if blast.shape.touches(Base(one.id, one.at, traits.RADIUS))]
    if under:
        game.emit(PrisonersFell(tuple(DieTest(kills.open).passing(game, blast.seat, under, casualties.KILL))))


@implements("AE-OPEN-02")
async def _land(game: Game[Battle], blast: Blast) -> int:
    """Let a template land: each figure that it touches rolls against the kill number of its cover, vehicles are hit,
    smoke stays. Return how many fell."""
    template = blast.arms.template
    assert template is not None
    if blast.arms.has(SMOKE):
        cloud = Cloud(
            f"smoke{game.state.turn}.{len(game.state.clouds)}", blast.at, template.circle, game.state.turn + 1
        )
        game.emit(SmokeLaid(cloud))
    killed = _kill(game, blast, template.kills) if template.kills is not None else 0
    if template.kills is not None:
        _kill_prisoners(game, blast, template.kills)
    if blast.arms.penetration.dice:
        await _strike_vehicles(game, blast)
    house = ground.house_at(game.state, blast.at) if template.circle and blast.arms.penetration.dice else None
    if house is not None:
        buildings.hit(game, str(house.id), blast.arms, 1, blast.seat)
    await buildings.ignite(game, blast.shape, blast.arms, blast.seat, blast.house)
    corners = blast.shape.corners if isinstance(blast.shape, Patch) else ()
    game.emit(BlastLanded(blast.at, blast.arms.id, template.circle, corners, killed))
    return killed


def _how(arms: Arms) -> str:
    """Return how those fall who are under a template."""
    if arms.has(FIRE):
        return "burnt"
    return "boom" if arms.id in ("boom", BOMB) else "blast"


@implements("AE-OPEN-02", "AE-GEN-06")
def _kill(game: Game[Battle], blast: Blast, kills: Kills) -> int:
    """Roll for all figures that are touched, unit by unit and cover by cover, and remove those that fall."""
    state, eye = game.state, Base(NO_FIGURE, blast.at, 1)
    struck: dict[tuple[GroupId, Cover], list[FigureId]] = {}
    for unit, figure in touched(state, blast):
        struck.setdefault((unit.id, aims.cover_of(state, eye, figure)), []).append(figure.id)
    how, arms, by = _how(blast.arms), blast.arms, blast.seat
    return sum(
        casualties.fall_under(game, id, figures, arms, kills.of(shelter), by, how)
        for (id, shelter), figures in struck.items()
    )


@implements("AE-OPEN-02", "AE-OPEN-25")
async def hit(
    game: Game[Battle], seat: Seat, id: GroupId, arms: Weapon, origin: Point, count: int, among: Sequence[FigureId]
) -> None:
    """Deal so many hits on a unit: on a vehicle, or on random figures of infantry that do not withstand them."""
    unit = game.state.units[id]
    if traits.drives(game.state, unit):
        await damage.strike(game, id, arms, origin, count, seat)
        await burst(game)
        return
    armour = traits.infantry(game.state, unit).armour
    through = hits.penetrations(game, seat, arms, count, armour) if armour else count
    casualties.fall(game, id, casualties.pick_random(game, seat, among, through), seat)


@implements("AE-GEN-05")
def moved(origin: Point, at: Point, hour: int, distance: int) -> Point:
    """Return a point moved so far in a direction of the clock, 12 being away from the origin, clockwise; where the two
    are the same, away from the table's south edge."""
    dx, dy = at[0] - origin[0], at[1] - origin[1]
    if dx == dy == 0:
        dy = 1
    length = floor_sqrt(squared((0, 0), (dx * UNIT, dy * UNIT)))
    x, y = heading(-HOUR * hour)
    turned = dx * x - dy * y, dx * y + dy * x
    return at[0] + divide(turned[0] * distance, length), at[1] + divide(turned[1] * distance, length)


@implements("AE-GEN-05", "AE-OPEN-02")
def scattered(
    game: Game[Battle], seat: Seat, origin: Point, at: Point, dice: int, purpose: str, each: int = CENTIMETRE
) -> Point:
    """Return a point that deviates in a random direction, by so many D6 of a length."""
    distance = each * game.roll(Pool(dice), purpose, seat).total
    return moved(origin, at, game.roll(Pool(1, CLOCK), DIRECTION, seat).total, distance)
