"""Fire that has been declared, rolled weapon by weapon (AE-FIRE-01 to -07, AE-OPEN-02)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.kit.pools import DieTest
from engine.kit.rules import Game, Seat, implements
from engine.rulesets.apocalypse_earth.rules.fire import arming, contact
from engine.rulesets.apocalypse_earth.rules.harm import blasts, casualties, damage, hits
from engine.rulesets.apocalypse_earth.rules.table import aims, ground, sighting, traits
from engine.rulesets.apocalypse_earth.rules.turns import turns
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.fire_events import ShotAt, UnitFired, VolleyFired, WeaponsFired
from engine.rulesets.apocalypse_earth.state.lasting import Shot
from engine.rulesets.apocalypse_earth.state.profiles import Cover, Weapon
from engine.rulesets.apocalypse_earth.state.state import ABOARD, TABLE, Battle, Figure, Unit
from engine.space.terrain.contact import Base
from engine.space.terrain.footprints import Footprint
from engine.space.vectors.headings import heading_to
from engine.space.vectors.outlines import nearest_on_edges, through_interior
from engine.space.vectors.points import Point, divide, floor_sqrt, point_nearer, squared
from protocol.ids import NO_FIGURE, FigureId, GroupId

DEVIATION: Final = "ae.dice.deviation"
ON: Final = "ae.dice.line"
GOES_ON: Final = DieTest(4)
"""AE-OPEN-02: a shot along a line hits the next on 4 or more."""
ONWARD: Final = 1200
"""AE-OPEN-02: greatest distance from the last that it hit."""
AFAR: Final = 1200
"""AE-QA-02: fire from farther than this makes a rally harder."""


class Volley(NamedTuple):
    """Shots of one kind of weapon at one class of a target; `each`: the shots of each of the figures."""

    unit: GroupId
    weapon: Weapon
    target: GroupId
    cover: Cover
    victim: FigureId
    figures: tuple[FigureId, ...]
    each: tuple[int, ...]

    @property
    def shots(self) -> int:
        """All shots of the volley."""
        return sum(self.each)


@implements("AE-FIRE-01", "AE-FIRE-03")
def volleys(state: Battle, unit: Unit, shots: Sequence[Shot]) -> list[Volley]:
    """Return the direct fire among some shots as volleys, in the order of the armoury."""
    crews = arming.crews(state, unit, shots)
    grouped: dict[tuple[str, GroupId, Cover, FigureId, FigureId], list[Shot]] = {}
    order = {id: place for place, id in enumerate(state.resolved.weapons)}
    for shot in sorted(shots, key=lambda shot: order[shot.weapon]):
        if shot.target and shot.at is None and not contact.is_siege(state, shot):
            # from where a vehicle is hit matters
            firer = shot.figure if traits.drives(state, state.units[shot.target]) else NO_FIGURE
            grouped.setdefault((shot.weapon, shot.target, shot.cover, shot.victim, firer), []).append(shot)
    found: list[Volley] = []
    for (id, target, cover, victim, _), same in grouped.items():
        weapon = state.resolved.weapons[id]
        each = tuple([arming.shots_with(state, unit, weapon, crews.get(shot.figure, ())) for shot in same])
        found.append(Volley(unit.id, weapon, target, cover, victim, tuple([shot.figure for shot in same]), each))
    return found


@implements("AE-FIRE-01", "AE-FIRE-07")
async def resolve(game: Game[Battle], id: GroupId, shots: Sequence[Shot]) -> None:
    """Roll all shots of a unit, weapon kind by weapon kind; casualties fall before the next kind. What follows for
    those that were hit is the caller's (casualties.settle)."""
    state = game.state
    game.emit(UnitFired(id))
    _note_fire(game, id, shots)
    direct, crews = volleys(state, state.units[id], shots), arming.crews(state, state.units[id], shots)
    for weapon in state.resolved.weapons.values():
        same = tuple([shot for shot in shots if shot.weapon == weapon.id])
        if not same:
            continue
        firing = tuple([shot.figure for shot in same])
        for volley in direct:
            if volley.weapon.id == weapon.id:
                await _fire(game, volley)
        await contact.resolve(game, id, weapon, same, crews)
        for shot in same:
            if shot.at is not None or shot.facing >= 0:
                await _lob(game, id, weapon, shot)
        game.emit(WeaponsFired(id, firing, weapon.id, weapon.has(profiles.ONCE)))


@implements("AE-QA-02")
def _note_fire(game: Game[Battle], id: GroupId, shots: Sequence[Shot]) -> None:
    """Note which suppressed units are fired at from afar or from out of sight; fire alarms a side that was asleep."""
    for target in dict.fromkeys(shot.target for shot in shots if shot.target):
        state = game.state
        unit, other = state.units[id], state.units[target]
        if other.suppressed and not other.shot:
            far = sighting.distance(state, unit, other) > AFAR
            if far or not sighting.sees(state, other, unit):
                game.emit(ShotAt(target))
        turns.rouse(game, target)


def _of_living(state: Battle, volley: Volley) -> Volley:
    """Return what is left of a volley without the figures that have fallen since it was declared."""
    firers = zip(volley.figures, volley.each, strict=True)
    left = {id: shots for id, shots in firers if id in state.units[volley.unit].figures}
    return volley._replace(figures=tuple(left), each=tuple(left.values()))


@implements("AE-FIRE-01", "AE-FIRE-02", "AE-FIRE-07")
async def _fire(game: Game[Battle], declared: Volley) -> None:
    """Roll the shots of one volley by those of its figures that still stand, and remove those who are hit."""
    state = game.state
    volley = _of_living(state, declared)
    unit, target = state.units[volley.unit], state.units[volley.target]
    if target.where != TABLE or not volley.figures:
        return
    seat, origin = Seat(unit.owner), state.figures[volley.figures[0]].at
    number = hits.need(state, unit, volley.weapon, volley.cover)
    struck = hits.roll(game, seat, volley.shots, number)
    before = len(target.figures)
    strike = _strike_vehicle if traits.drives(state, target) else _strike
    await strike(game, volley, seat, struck, origin)
    killed = before - len(game.state.units[volley.target].figures)
    counts = (volley.shots, number, struck, killed)
    game.emit(VolleyFired(volley.unit, volley.target, volley.weapon.id, volley.cover, *counts))


def exposed(state: Battle, volley: Volley) -> list[FigureId]:
    """Return the figures that a volley may hit: those of its class that a firer sees in range and can fire at, by
    number."""
    unit, target = state.units[volley.unit], state.units[volley.target]
    if not arming.is_in_place(state, unit) or target.where != TABLE:
        return []
    found = arming.in_reach(state, unit, volley.weapon, aims.aims(state, unit, target))
    seen = {aim.target for aim in found if aim.cover == volley.cover and aim.figure in volley.figures}
    return [id for id in target.figures if id in seen]


@implements("AE-OPEN-02")
def strays_to(weapon: Weapon) -> int:
    """Return how far from the place of its target a hit by a weapon may harm others; 0 where it harms nobody else."""
    onward = ONWARD + 2 * traits.RADIUS if weapon.has(profiles.LINE) else 0
    return max(onward, weapon.template.circle + traits.RADIUS if weapon.template is not None else 0)


@implements("AE-FIRE-07", "AE-OPEN-02")
async def _strike(game: Game[Battle], volley: Volley, seat: Seat, struck: int, origin: Point) -> None:
    """Deal the hits of a volley from a place on infantry: a circle around a figure for each, or a figure for each that
    gets through its armour."""
    weapon = volley.weapon
    if weapon.template is not None:
        for _ in range(struck):
            there = exposed(game.state, volley)
            if there:
                [centre] = casualties.pick_random(game, seat, there, 1)
                await blasts.land(game, blasts.circle(weapon, game.state.figures[centre].at, seat))
        return
    there = exposed(game.state, volley)
    armour = traits.infantry(game.state, game.state.units[volley.target]).armour
    through = hits.penetrations(game, seat, weapon, struck, armour) if armour else struck
    fallen = [volley.victim] if volley.victim in there and through else []
    rest = [id for id in there if id not in fallen]
    fallen += casualties.pick_random(game, seat, rest, through - len(fallen))
    places = [game.state.figures[id].at for id in fallen]
    casualties.fall(game, volley.target, fallen, seat)
    if weapon.has(profiles.LINE):
        for at in places:
            await _go_on(game, volley.weapon, seat, origin, at)


@implements("AE-VEH-01", "AE-OPEN-02")
async def _strike_vehicle(game: Game[Battle], volley: Volley, seat: Seat, struck: int, origin: Point) -> None:
    """Deal the hits of a volley from a place on a vehicle; circles harm those around it."""
    state, weapon = game.state, volley.weapon
    hull = state.leader(state.units[volley.target])
    through = await damage.strike(game, volley.target, weapon, origin, struck, seat)
    for _ in range(struck if weapon.template is not None else 0):
        await blasts.land(game, blasts.circle(weapon, hull.at, seat, hull.id))
    for _ in range(through if weapon.has(profiles.LINE) else 0):
        await _go_on(game, weapon, seat, origin, hull.at)
    await blasts.burst(game)


@implements("AE-OPEN-02")
async def _go_on(game: Game[Battle], weapon: Weapon, seat: Seat, origin: Point, at: Point) -> None:
    """Let a shot from a place go on in a straight line past what it has just gone through, until it misses or does not
    get through."""
    while (found := _next_on_line(game.state, origin, at, weapon.range)) is not None:
        unit = game.state.unit_of(found.id)
        if not GOES_ON.successes(game.roll(GOES_ON.pool(1), ON, seat).faces):
            return
        at = found.at
        if traits.drives(game.state, unit):
            if not await damage.strike(game, unit.id, weapon, origin, 1, seat):
                return
            continue
        armour = traits.infantry(game.state, unit).armour
        if armour and hits.pierced(game, seat, weapon) < armour:
            return
        casualties.fall(game, unit.id, [found.id], seat)


def _next_on_line(state: Battle, origin: Point, at: Point, reach: int) -> Figure | None:
    """Return the next figure behind a place on the line of a shot, near enough to it and in range; None without one."""
    far = floor_sqrt(squared(origin, at))
    beyond = min(ONWARD + 2 * traits.RADIUS, reach - far)
    if not far or beyond <= 0:
        return None
    x, y = [b + divide((b - a) * beyond, far) for a, b in zip(origin, at, strict=True)]
    met = [
        (squared(at, figure.at), figure)
        for unit in state.standing()
        for figure in state.members(unit)
        if not unit.hidden and figure.at != at and _is_on_line(traits.base(state, figure), at, (x, y))
    ]
    return min(met, key=lambda one: one[0])[1] if met else None


def _is_on_line(base: Footprint, a: Point, b: Point) -> bool:
    """Tell if a line from a to b goes through a base."""
    if isinstance(base, Base):
        return point_nearer(base.at, a, b, base.radius)
    return through_interior(a, b, base.outline())


@implements("AE-OPEN-02", "AE-BLD-01", "AE-OPEN-16")
def _strip(state: Battle, weapon: Weapon, figure: Figure, shot: Shot) -> blasts.Blast:
    """Return the strip that a figure burns: out of a building from its wall, which it leaves alone, as it does the
    vehicle that the figure is aboard."""
    unit, house, start = state.unit_of(figure.id), ground.house_at(state, figure.at), figure.at
    if house is not None:
        start = ground.way_out(house, start, shot.facing) if shot.at is None else nearest_on_edges(shot.at, house.edges)
    facing = shot.facing if shot.at is None else heading_to(start, shot.at)
    spared = state.units[unit.vessel].leader if unit.where == ABOARD else figure.id
    return blasts.flame(weapon, start, facing, Seat(figure.owner), spared, str(house.id) if house is not None else "")


@implements("AE-FIRE-10", "AE-OPEN-02")
async def _lob(game: Game[Battle], id: GroupId, weapon: Weapon, shot: Shot) -> None:
    """Throw or lob at a point, or burn along a strip: a miss deviates."""
    if shot.figure not in game.state.units[id].figures:
        return
    figure = game.state.figures[shot.figure]
    seat, origin = Seat(figure.owner), figure.at
    if weapon.burns:
        await blasts.land(game, _strip(game.state, weapon, figure, shot))
        return
    assert shot.at is not None
    at = shot.at
    if not hits.roll(game, seat, 1, hits.need(game.state, game.state.units[id], weapon, "open")):
        dice = 2 if weapon.has(profiles.INDIRECT) else 1
        at = blasts.scattered(game, seat, origin, at, dice, DEVIATION)
    await blasts.land(game, blasts.circle(weapon, at, seat))
