"""Moves of Vehicles: straight ahead or in reverse, one turn a move, and terrain that may stop them (OP-VEH-02, -03)."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from typing import Final, NamedTuple

from msgspec.structs import replace

from engine.kit.blanks import facing, way
from engine.kit.board import place_fields
from engine.kit.rules import Game, Gesture, Label, Pool, Seat, UnitIntent, Verb, forbid, implements
from engine.rulesets.one_page.rules import activations, casualties, ground, moving, traits
from engine.rulesets.one_page.rules.picking import Choosing, pick, unit_of
from engine.rulesets.one_page.state import profiles as rules
from engine.rulesets.one_page.state.events import Tracked, UnitMoved
from engine.rulesets.one_page.state.state import TABLE, Battle, Unit
from engine.space.movement.steering import QUARTER, Steering, reach_turning, steered, turned
from engine.space.terrain.features import PreparedArea
from engine.space.terrain.stretches import crossed_after, entered_after
from engine.space.vectors.headings import ANGLES, ahead
from engine.space.vectors.points import Point, towards
from protocol.ids import GroupId
from protocol.scene.fields import Band, Facing, Way

TERRAIN: Final = "op.dice.terrain"
MOST_TURNS: Final = 1


class Drive(UnitIntent, frozen=True, tag="op.drive"):
    """Move of a Vehicle: `before` along its heading (backwards below 0), one turn, and `ahead` along the new one."""

    run: bool
    facing: int
    ahead: int
    before: int = 0


class VehiclePath(NamedTuple):
    """A Vehicle's move: the places at which it begins, turns and ends, and its facing at the end."""

    way: tuple[Point, ...]
    facing: int


@implements("OP-VEH-02", "OP-VEH-03")
def check_drive(
    state: Battle,
    unit: Unit,
    drive: Steering,
    limit: int,
    contact: Collection[str] = (),
    *,
    dry: bool = False,
    left: PreparedArea | None = None,
) -> VehiclePath:
    """Return the way of a Vehicle: one turn, not too far, and in reverse every inch counts double. `contact`, `dry`,
    `left`: as of `moving.check_way`. Raises IllegalIntent."""
    figure, facing = state.leader(unit), drive.facing
    forbid(facing not in ANGLES or turned(figure.facing, facing) > QUARTER, "move/turn")
    corner = ahead(figure.at, figure.facing, drive.before)
    way = (figure.at, corner, ahead(corner, facing, drive.after))
    reverse = sum(max(0, -part) for part in (drive.before, drive.after))
    moving.check_way(state, unit, way, limit - reverse, contact, dry=dry, left=left)
    return VehiclePath(way, facing)


@implements("OP-VEH-02", "OP-VEH-03")
async def drive(game: Game[Battle], seat: Seat, drive: Drive) -> None:
    """Drive a Vehicle as its Walk or Run."""
    state = game.state
    unit = activations.check_action(state, seat, drive.unit)
    moving.check_free(unit)
    forbid(not traits.is_vehicle(state, unit), "move/walks")
    action = "run" if drive.run else "walk"
    steering = Steering(drive.before, drive.facing, drive.ahead)
    driven = check_drive(state, unit, steering, moving.allowance(state, unit, action))
    driving = activations.begin(game, unit.id, action)
    reached = await go(game, unit.id, driven, action)
    driving.resolve("done" if reached else "stopped")


@implements("OP-OPEN-15", "OP-SR-06")
async def go(game: Game[Battle], id: GroupId, path: VehiclePath, how: str) -> bool:
    """Drive a Vehicle, rolling for swamps that it enters and barriers that it crosses. Return True if it reached its
    end."""
    state = game.state
    unit = state.units[id]
    way, bogged, facing = path.way, False, path.facing
    if not traits.has(state, unit, rules.FLYING):
        for number, (a, b) in enumerate(pairwise(path.way)):
            stop = _stop(game, id, a, b)
            if stop is not None:
                way, bogged = (*path.way[: number + 1], stop[0]), stop[1]
                facing = state.leader(unit).facing if number == 0 else path.facing
                break
    game.emit(UnitMoved(id, how, way, {unit.leader: way[-1]}, facing))
    if bogged:
        game.emit(Tracked(id))
    await casualties.cross_mines(game, state, id, way)
    return way[-1] == path.way[-1]


def _stop(game: Game[Battle], id: GroupId, a: Point, b: Point) -> tuple[Point, bool] | None:
    """Return the place at which the dice stop a Vehicle on a straight way, and True if it is stuck there; None where
    they let it pass."""
    state = game.state
    scenery = ground.scenery_of(state)
    swamps = [area for area in scenery.areas_on(a, b) if ground.terrain(state, area.id).bogs]
    ditches = [one for one in scenery.barriers_on(a, b) if ground.terrain(state, one.id).trips]
    met = [(entered_after(a, b, area), True) for area in swamps if not area.holds(a)]
    met += [(max(0, crossed_after(a, b, one) - 2), False) for one in ditches]
    for distance, bogs in sorted(met):
        if game.roll(Pool(1, low=1, high=1), TERRAIN, Seat(state.units[id].owner)).total == 1:
            return towards(a, b, distance), bogs
    return None


def _any_facing(draft: Choosing, field: Facing) -> Facing:
    """Return a field of any facing of a Vehicle where it stands, the present one by default."""
    unit = unit_of(draft)
    figure = draft.state.leader(unit)
    return place_fields.turned(field, figure.at, figure.facing, traits.profile(draft.state, unit).box)


def _way(draft: Choosing, field: Way) -> Way:
    """Return a field of the way of a Vehicle: its end, or the place of its turn and its end."""
    unit = unit_of(draft)
    action = "run" if draft.choice == "drive_fast" else "walk"
    figure, limit = draft.state.leader(unit), moving.allowance(draft.state, unit, action)
    reach = Band(field.name, limit, (reach_turning(figure.at, figure.facing, limit, limit // 2),))
    start, size = figure.at, traits.radius(draft.state, figure)
    return replace(field, start=start, default=start, bands=(reach,), radius=size)


def _drive(draft: Choosing) -> Drive:
    """Return the drive to the end of the way that was drawn. Raises IllegalIntent."""
    unit = unit_of(draft)
    forbid(unit.where != TABLE, "act/not-yours")
    figure, corners = draft.state.leader(unit), draft.way("way")
    forbid(len(corners) > MOST_TURNS + 1, "move/turn")
    driven = steered(figure.at, figure.facing, corners)
    return Drive(unit.id, draft.choice == "drive_fast", driven.facing, driven.after, driven.before)


DRIVE: Final = Verb(
    Label("drive", "d", "Drive", "Up to 12 inches with one turn, then shoot."),
    drive,
    pick("unit", activations.drivers),
    way("way", _way, most=MOST_TURNS + 1),
    make=_drive,
    gesture=Gesture("unit", "way", "point", mark="move"),
)
DRIVE_FAST: Final = DRIVE.named(
    Label("drive_fast", "g", "Drive fast", "Up to 18 inches with one turn. No shooting."), 1
)
TURN: Final = Verb(
    Label("turn", "t", "Hold and turn", "Turn on the spot to any facing, then shoot."),
    moving.hold,
    pick("unit", activations.drivers),
    facing("facing", _any_facing),
    gesture=Gesture("unit", "facing", "point", 4, "turn"),
)
