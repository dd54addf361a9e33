"""Drives of vehicles, under the eyes of the enemy; their smoke and bombs (AE-OPEN-16, -18, AE-VEH-04, AE-OVER-02)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from engine.kit.blanks import Filled, way
from engine.kit.rules import Game, Gesture, Label, Seat, Verb, forbid, implements
from engine.kit.units import UnitIntent
from engine.rulesets.apocalypse_earth.rules.harm import blasts, casualties, damage
from engine.rulesets.apocalypse_earth.rules.moves import aftermath, marching
from engine.rulesets.apocalypse_earth.rules.table import ground, hulls, lanes, meetings, traits
from engine.rulesets.apocalypse_earth.rules.turns import activations
from engine.rulesets.apocalypse_earth.rules.turns.picking import Choosing, able, pick, unit_of
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.combat_events import FeatureChanged
from engine.rulesets.apocalypse_earth.state.fire_events import SmokeLaid
from engine.rulesets.apocalypse_earth.state.lasting import LEAVES, Cloud, March
from engine.rulesets.apocalypse_earth.state.model import Feature
from engine.rulesets.apocalypse_earth.state.state import MOVE, POWERS, TABLE, Battle, Unit
from engine.rulesets.apocalypse_earth.state.vehicle_events import SmokeSpent, VehicleDriven
from engine.space.movement.steering import Course, Leg, legs, reach_turning, turns
from engine.space.terrain.contact import Base
from engine.space.vectors.bisection import first_met
from engine.space.vectors.headings import ahead
from engine.space.vectors.paths import breached
from engine.space.vectors.points import towards
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import Band, Facing, Way
from protocol.text import Text

CORNERS: Final = lanes.MOST_TURNS + 1
"""Corners of a way, its end among them: a vehicle may turn before each of them but one."""
SMOKE: Final = profiles.SMOKE


class Drive(UnitIntent, frozen=True, tag="ae.drive"):
    """Drive of a vehicle: straight pieces, each a heading after a turn on the spot and a distance in hundredths
    (backwards below 0), and its heading at the end (-1: that of the last piece)."""

    legs: tuple[tuple[int, int], ...]
    facing: int = -1


@implements("AE-OPEN-16")
def check_driver(state: Battle, seat: int, id: GroupId) -> Unit:
    """Return a vehicle that may drive now. Raises IllegalIntent."""
    unit = activations.check_step(state, seat, id, MOVE)
    forbid(unit.where != TABLE or not traits.drives(state, unit), "drive/no-vehicle")
    forbid(not hulls.can_move(unit), "drive/immobile")
    return unit


@implements("AE-OPEN-16", "AE-VEH-04")
def planned(state: Battle, unit: Unit, drive: Drive) -> Course:
    """Return the course of a vehicle that may drive. Raises IllegalIntent."""
    forbid(not 1 <= len(drive.legs) <= CORNERS, "drive/turns")
    last = drive.facing if drive.facing >= 0 else drive.legs[-1][0]
    course = lanes.plan(state, unit, [Leg(*one) for one in drive.legs], last)
    lanes.check_crowd(state, unit, course)
    return course


@implements("AE-OPEN-16")
async def drive(game: Game[Battle], seat: Seat, drive: Drive) -> None:
    """Drive, as far as the enemy and the ground let it; afterwards it may fire."""
    course = planned(game.state, check_driver(game.state, seat, drive.unit), drive)
    driving = activations.start(game, "drive", drive.unit)
    arrived = await carry_out(game, drive.unit, course)
    aftermath.after_move(game, drive.unit)
    activations.take(game, POWERS)
    driving.resolve("done" if arrived else "stopped")


@implements("AE-OPEN-16")
async def carry_out(game: Game[Battle], id: GroupId, course: Course, how: str = "drive") -> bool:
    """Move a vehicle along its course: the enemy is asked, hidden units are met, figures step aside and walls fall.
    Return True where it came to its end. `how`: of the march that it is."""
    unit = game.state.units[id]
    march = March(id, how, unit.leader, {unit.leader: course.way}, course.cost, facings=course.facings)
    radius, reached = hulls.base_of(game.state, unit).radius_around, 0

    def go(halt: int) -> bool:
        nonlocal reached
        if not hulls.can_move(game.state.units[id]) or game.state.units[id].where != TABLE:
            return False
        halt = min(halt, course.length)
        far = _clear(game, id, course, (reached, halt), leaves=how == LEAVES)
        if far > reached or far == course.length:
            at, facing = course.pose(far)
            _flatten(game, id, course, reached, far)
            game.emit(VehicleDriven(id, at, facing))
        reached = far
        return far == halt

    def spent() -> dict[FigureId, int]:
        return {unit.leader: course.cost * reached // max(1, course.length) if reached < course.length else course.cost}

    length = max(1, course.length)
    met = meetings.along(game.state, unit.owner, length, lambda part: [Base(unit.leader, course.pose(part)[0], radius)])
    arrived = await marching.watched(game, march, met, go, spent)
    return arrived and game.state.units[id].where == TABLE


@implements("AE-OPEN-16")
def _clear(game: Game[Battle], id: GroupId, course: Course, between: tuple[int, int], *, leaves: bool) -> int:
    """Clear the lanes of a course between two distances of figures that step aside, and return how far the vehicle
    comes: short of what bars it now."""
    start, end = between

    def is_barred(far: int) -> bool:
        around = lanes.Lanes(game.state, game.state.units[id], leaves=leaves)
        if any(around.fault(at, *leg) for at, leg in course.pieces(start, far)):
            return True
        return around.asides(lanes.covered(game.state, around.unit, course, start, far)) is None

    while True:
        far = end if not is_barred(end) else first_met(is_barred, end, start) - 1
        unit = game.state.units[id]
        passed = lanes.covered(game.state, unit, course, start, far)
        if lanes.make_way(game, id, passed, lanes.covered(game.state, unit, course, far, course.length)):
            return far


@implements("AE-OPEN-16")
def _flatten(game: Game[Battle], id: GroupId, course: Course, start: int, end: int) -> None:
    """Drive down the walls that a heavy vehicle crosses between two distances: a gap as wide as itself is left."""
    unit = game.state.units[id]
    half = hulls.vehicle(game.state, unit).width // 2
    for at, leg in course.pieces(start, end) if hulls.class_of(game.state, unit).flattens else ():
        goal = ahead(at, *leg)
        for wall in ground.scenery_of(game.state).barriers:
            if ground.terrain(game.state, wall.id).wall and wall.crossed_by(at, goal):
                piece = ground.feature(game.state, str(wall.id))
                far = first_met(lambda far: wall.crossed_by(at, towards(at, goal, far)), abs(leg.distance))  # noqa: B023 - called at once
                lines = breached(piece.outline, at, goal, towards(at, goal, far), half)
                left = [Feature(f"{piece.id}.{number}", piece.kind, line) for number, line in enumerate(lines, 1)]
                game.emit(FeatureChanged(piece.id, tuple(left), "flattened"))


def _way(draft: Choosing, field: Way) -> Way:
    """Return a field of the way of a vehicle, with where it comes by one turn at its start."""
    state, unit = draft.state, unit_of(draft)
    forbid(unit.where != TABLE, "act/not-yours")
    own, most = state.leader(unit), hulls.allowance(state, unit)
    reach = reach_turning(own.at, own.facing, most, most // 2, lanes.TURN)
    return replace(field, start=own.at, default=own.at, bands=(Band(field.name, most, (reach,)),), radius=traits.RADIUS)


def _legs(draft: Choosing) -> tuple[Leg, ...]:
    own = draft.state.leader(unit_of(draft))
    return legs(own.at, own.facing, draft.way("way"), lanes.TURN)


def _facing(draft: Choosing, field: Facing) -> Facing:
    """Return a field of the heading at the end of a way, by default that in which the vehicle comes there."""
    state, unit, own = draft.state, unit_of(draft), _legs(draft)
    course = planned(state, unit, Drive(unit.id, own))
    profile, (at, heading) = hulls.vehicle(state, unit), course.pose(course.length)
    return replace(
        field, at=at, angles=tuple(turns(heading, lanes.TURN)), default=heading, box=(profile.length, profile.width)
    )


def _drive(draft: Choosing) -> Drive:
    """Return the drive that comes nearest to the way that was drawn."""
    return Drive(draft.group("unit"), _legs(draft), draft.number("facing", -1))


DRIVE: Final = Verb(
    Label("drive", "d", "Drive", "Straight ahead or back, with up to three turns. Enemies on overwatch may fire."),
    drive,
    pick("unit", able(check_driver, MOVE)),
    way("way", _way, most=CORNERS),
    Filled(Facing("facing", Text(""), lazy=True, auto=True), how=_facing),
    make=_drive,
    gesture=Gesture("unit", "way", "point", mark="move"),
)


class LaySmoke(UnitIntent, frozen=True, tag="ae.lay_smoke"):
    """Smoke of a vehicle around itself."""


class Detonate(UnitIntent, frozen=True, tag="ae.detonate"):
    """Explosion of a vehicle that is a bomb."""


def _check(state: Battle, seat: int, id: GroupId, trait: str, code: str) -> Unit:
    unit = activations.check_step(state, seat, id, POWERS)
    forbid(unit.where != TABLE or not hulls.has(state, unit, trait), code)
    return unit


@implements("AE-OPEN-18")
def check_smoke(state: Battle, seat: int, id: GroupId) -> Unit:
    """Return a vehicle if it may lay smoke at the end of its move, once a game. Raises IllegalIntent."""
    unit = _check(state, seat, id, SMOKE, "drive/no-smoke")
    forbid(unit.hull.smoked, "drive/no-smoke")
    return unit


@implements("AE-OPEN-18")
async def lay_smoke(game: Game[Battle], seat: Seat, smoke: LaySmoke) -> None:
    """Lay smoke around a vehicle until the end of the next turn."""
    unit = check_smoke(game.state, seat, smoke.unit)
    template = game.state.resolved.traits[SMOKE].template
    assert template is not None
    laying = activations.start(game, "smoke", unit.id, step=POWERS)
    cloud = Cloud(f"smoke.{unit.id}", game.state.leader(unit).at, template.circle, game.state.turn + 1)
    game.emit(SmokeSpent(unit.id), SmokeLaid(cloud))
    laying.resolve("done")


@implements("AE-OPEN-18")
def check_detonate(state: Battle, seat: int, id: GroupId) -> Unit:
    """Return a vehicle if it may blow itself up now. Raises IllegalIntent."""
    return _check(state, seat, id, profiles.BOMB, "drive/no-bomb")


@implements("AE-OPEN-18")
async def detonate(game: Game[Battle], seat: Seat, detonate: Detonate) -> None:
    """Blow up a vehicle that is a bomb, with all around."""
    unit, before = check_detonate(game.state, seat, detonate.unit), game.state.units
    blowing = activations.start(game, "detonate", unit.id)
    damage.destroy(game, unit.id, "bomb", seat)
    await blasts.burst(game)
    casualties.settle(game, before)
    blowing.resolve("done")


LAY_SMOKE: Final = Verb(
    Label("lay_smoke", "k", "Lay smoke", "Once a game: smoke all around, until the end of the next turn."),
    lay_smoke,
    pick("unit", able(check_smoke, POWERS)),
    gesture=Gesture("unit", rank=6),
)
DETONATE: Final = Verb(
    Label("detonate", "b", "Blow up", "The vehicle explodes, with everything around it.", "Blow up this vehicle?"),
    detonate,
    pick("unit", able(check_detonate, POWERS)),
    gesture=Gesture("unit", rank=7, ends=True),
    asks=lambda state, seat: True,
)
