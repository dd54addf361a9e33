"""Details of vehicles, passengers and blast weapons: the options of their lazy fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final, cast

from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent, is_legal
from engine.core.rules.reply_fields import Fields
from engine.rulesets.action_cards.rules.board import followers, table
from engine.rulesets.action_cards.rules.movement import moves
from engine.rulesets.action_cards.rules.shooting import blast
from engine.rulesets.action_cards.rules.vehicles import driving, flying, transports
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Skirmish
from engine.rulesets.action_cards.view.follower_field import follower_field
from engine.space.movement.reach import DIRECTIONS, along, door_region
from engine.space.vectors.headings import ANGLES
from protocol.ids import GroupId
from protocol.scene.fields import AnyField, Facing, PathPoint, PickPoint, Template

HALVINGS: Final = 9
"""A table is about twelve thousand hundredths across: so the places found are a quarter of an inch off."""
LOOKS: Final = DIRECTIONS[::2]
OWN: Final = 2
"""A figure of one's own under the circle weighs as much as so many of others."""


def _way(state: Skirmish, seat: Seat, field: AnyField, fields: Fields) -> AnyField:
    """Fill in the way straight ahead, a corner every inch, the last one as far as the vehicle is able."""
    group = fields.group("group")
    driving.check_driver(state, seat, group)
    able = driving.able(state, group)
    inches = range(-(-able // driving.INCH) + 1)
    path = tuple(driving.place_after(state, group, inch) for inch in inches)
    return replace(cast("PathPoint", field), lazy=False, path=path, default=len(path) - 1)


def _turn(state: Skirmish, seat: Seat, field: AnyField, fields: Fields) -> AnyField:
    """Fill in the facings open to a ground vehicle at the end of its way."""
    group, inches = fields.group("group"), fields.number("way")
    figure = driving.check_driver(state, seat, group)
    if inches < 0:
        raise IllegalIntent("drive/too-far")
    at = driving.place_after(state, group, inches)
    angles = driving.facings(state, group, at)
    box = _box(state, group)
    return replace(cast("Facing", field), lazy=False, at=at, angles=angles, default=figure.facing, box=box)


def _flight(state: Skirmish, seat: Seat, field: AnyField, fields: Fields) -> AnyField:
    """Fill in the places open to a flight: all of the table."""
    group = fields.group("group")
    figure = flying.check_pilot(state, seat, group)
    (width, height), margin = state.resolved.scenario.size, flying.margin_of(state, group)
    right, top = width - margin, height - margin
    region = ((margin, margin), (right, margin), (right, top), (margin, top))
    radius = table.radius(state, figure.id)
    picked = cast("PickPoint", field)
    return replace(picked, lazy=False, regions=(region,), start=figure.at, radius=radius, default=figure.at)


def _flight_facing(state: Skirmish, seat: Seat, field: AnyField, fields: Fields) -> AnyField:
    """Fill in the facings open to a flight: all, the present one by default."""
    group = fields.group("group")
    figure = flying.check_pilot(state, seat, group)
    facing, at = cast("Facing", field), fields.point("to")
    return replace(facing, lazy=False, at=at, angles=ANGLES, default=figure.facing, box=_box(state, group))


def _box(state: Skirmish, group: GroupId) -> Point | None:
    vehicle = table.vehicle_of(state, group)
    return (vehicle.length, vehicle.width) if vehicle is not None else None


def _exit(state: Skirmish, seat: Seat, field: AnyField, fields: Fields) -> AnyField:
    """Fill in the region of the first figure from the doors; the default has room for all."""
    group = fields.group("group")
    ride = transports.check_rider(state, seat, group)
    allowance, vehicle = moves.allowance_of(state, ride.group), state.figures[ride.vehicle]
    way, doors = transports.way_out(state, ride), transports.doors_of(state, vehicle)
    regions = tuple(door_region(way, door, allowance) for door in doors)
    tried = transports.doors_of(state, vehicle, way.radius + transports.NEXT_TO)
    default = next((place for place in tried if is_legal(partial(_check_room, state, seat, group, place))), None)
    picked = cast("PickPoint", field)
    return replace(picked, lazy=False, regions=regions, start=vehicle.at, radius=way.radius, default=default)


def _check_room(state: Skirmish, seat: Seat, group: GroupId, place: Point) -> None:
    """Check that all of a group have room around a place. Raises IllegalIntent."""
    lead_move = transports.check_disembark(state, seat, group, place)
    followers.default_places(transports.staged(state, lead_move), lead_move)


def _exit_places(state: Skirmish, seat: Seat, field: AnyField, fields: Fields) -> AnyField:
    """Fill in the places of the other figures."""
    lead_move = transports.check_disembark(state, seat, fields.group("group"), fields.point("to"))
    return follower_field(transports.staged(state, lead_move), lead_move, field)


def _circle(state: Skirmish, seat: Seat, field: AnyField, fields: Fields) -> AnyField:
    """Fill in the place of a blast: the region that its gunners see, by default where most enemies are under it."""
    circle = _bare_circle(state, seat, field, fields)
    group = fields.group("group")
    seen = partial(_ends_of_sight, state, group, table.centre(state, group))
    region = table.board(state).get(f"seen/{group}", (state.lasting,), lambda: tuple(seen()))
    return replace(circle, regions=(region,))


def _bare_circle(state: Skirmish, seat: Seat, field: AnyField, fields: Fields) -> Template:
    """Fill in the place of a blast without the region that its gunners see."""
    group = fields.group("group")
    blast.check_blaster(state, seat, group)
    start, default = table.centre(state, group), _best_place(state, seat, group)
    return replace(cast("Template", field), lazy=False, size=blast.RADIUS, start=start, default=default)


def _ends_of_sight(state: Skirmish, group: GroupId, start: Point) -> Iterator[Point]:
    """Yield about how far the group sees, in many directions: a hint."""
    width, height = state.resolved.scenario.size
    far = width + height
    for direction in LOOKS:
        sees = blast.sees_along(state, group, start, along(start, direction, far))
        seen, hidden = 0, far
        for _ in range(HALVINGS):
            middle = (seen + hidden) // 2
            place = along(start, direction, middle)
            on_table = 0 <= place[0] <= width and 0 <= place[1] <= height
            if on_table and sees(place):
                seen = middle
            else:
                hidden = middle
        yield along(start, direction, seen)


def _best_place(state: Skirmish, seat: Seat, group: GroupId) -> Point | None:
    """Return the legal place over most enemies and fewest friends, of the middles and first figures of enemy groups;
    None without one."""
    enemies = [other for other in state.groups.values() if other.owner != seat]
    places = {
        place for other in enemies for place in (table.centre(state, other.id), table.at(state, other.figures[0]))
    }
    worth = _Worth(state, seat)
    best_first = sorted([(worth.of(place), place) for place in places], reverse=True)
    good = [at for value, at in best_first if value > 0]
    # a refusal names what hides a place, which costs more than this check
    seen = (at for at in good if blast.sees(state, group, at))
    return next((at for at in seen if is_legal(partial(blast.check_centre, state, seat, group, at))), None)


class _Worth:
    """Worth of a blast's circle to a seat, prepared for many places: figures on foot, and vehicles."""

    def __init__(self, state: Skirmish, seat: Seat) -> None:
        self._state = state
        self._vehicles: list[tuple[int, GroupId]] = []
        self._figures: list[tuple[int, int, int, int]] = []
        for group in state.groups.values():
            weight = -OWN if group.owner == seat else 1
            if table.vehicle_of(state, group.id) is not None:
                self._vehicles.append((weight, group.id))
                continue
            for id in group.figures:
                reach = blast.RADIUS + table.radius(state, id)
                self._figures.append((weight, *table.at(state, id), reach * reach))

    def of(self, place: Point) -> int:
        """Count the figures under it, as `blast.figures_under` does for each group, one's own counting as several."""
        x, y = place
        on_foot = sum([w for w, fx, fy, square in self._figures if (fx - x) ** 2 + (fy - y) ** 2 <= square])
        return on_foot + sum([w * len(blast.figures_under(self._state, id, place)) for w, id in self._vehicles])


FILLED: Final[Mapping[tuple[str, str], Callable[[Skirmish, Seat, AnyField, Fields], AnyField]]] = {
    ("drive", "way"): _way,
    ("drive", "facing"): _turn,
    ("fly", "to"): _flight,
    ("fly", "facing"): _flight_facing,
    ("disembark", "to"): _exit,
    ("disembark", "places"): _exit_places,
    ("blast", "at"): _circle,
}
"""By choice and field."""

BARE: Final = {**FILLED, ("blast", "at"): _bare_circle}
"""The same for who does not draw: `bare`, as of a Game."""
