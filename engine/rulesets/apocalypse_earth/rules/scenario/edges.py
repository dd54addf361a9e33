"""Units that come in through their own edge (AE-SETUP-03)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from engine.kit.blanks import point
from engine.kit.rules import Game, Gesture, IllegalIntent, Label, Seat, Verb, forbid, implements
from engine.kit.units import UnitIntent
from engine.rulesets.apocalypse_earth.rules.table import meetings, stands, traits, zones
from engine.rulesets.apocalypse_earth.rules.turns import activations, surrender
from engine.rulesets.apocalypse_earth.rules.turns.picking import Choosing, able, pick, unit_of
from engine.rulesets.apocalypse_earth.state.setup_events import UnitPlaced
from engine.rulesets.apocalypse_earth.state.state import COMING, MOVE, Battle, Unit
from engine.space.terrain.footprints import Footprint, box_of_footprint
from engine.space.vectors.outlines import outline_of
from engine.space.vectors.points import Box, Point, box_of, in_box, middle_of
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import PickPoint

ROW: Final = 210
"""Depth of the row in which a unit that comes in stands at the edge."""


class Enter(UnitIntent, frozen=True, tag="ae.enter"):
    """Arrival of a unit that had no room: its leader at the edge, near to `to`."""

    to: Point


@implements("AE-SETUP-03")
def strip(state: Battle, seat: int, depth: int) -> Box:
    """Return the strip at the friendly edge of a seat, within the ends of its zone."""
    zone, (width, height) = zones.zone_of(state, seat), state.resolved.scenario.size
    left, bottom, right, top = box_of(zone.outline)
    return {
        "south": (left, 0, right, depth),
        "north": (left, height - depth, right, height),
        "west": (0, bottom, depth, top),
        "east": (width - depth, bottom, width, top),
    }[zone.edge]


@implements("AE-SETUP-03")
def places(state: Battle, unit: Unit, to: Point) -> dict[FigureId, Point]:
    """Return the places at its edge of a unit that comes in, as near as possible to a point. Raises IllegalIntent."""
    room, profile = stands.StandRoom(state, unit), state.profile(unit)
    depth, inside = (profile.length, profile.length // 2) if traits.is_vehicle(profile) else (ROW, traits.RADIUS)
    left, bottom, right, top = box = strip(state, unit.owner, depth)
    wish = min(max(to[0], left + inside), right - inside), min(max(to[1], bottom + inside), top - inside)

    def is_at_edge(base: Footprint) -> bool:
        low_x, low_y, high_x, high_y = box_of_footprint(base)
        return in_box((low_x, low_y), box) and in_box((high_x, high_y), box)

    if not traits.is_vehicle(profile):
        found = stands.nearest(state, unit, wish, right - left + top - bottom, room.fits(is_at_edge))
    else:
        base = stands.box_at(state, unit, wish, zones.ahead_of(state, unit.owner))
        found = {unit.leader: wish} if is_at_edge(base) and not room.fault(base) else None
    if found is None:
        raise IllegalIntent("place/no-room").showing(at=to)
    return found


@implements("AE-SETUP-03")
def check_enter(state: Battle, seat: int, id: GroupId) -> Unit:
    """Return a unit that may come in now. Raises IllegalIntent."""
    unit = activations.check_step(state, seat, id, MOVE)
    forbid(unit.where != COMING, "enter/there")
    return unit


async def enter(game: Game[Battle], seat: Seat, enter: Enter) -> None:
    """Bring a unit in: it stands at the edge, and goes on with its action."""
    unit = check_enter(game.state, seat, enter.unit)
    found = places(game.state, unit, enter.to)
    entering = activations.start(game, "enter", unit.id)
    facing = zones.ahead_of(game.state, seat) if traits.drives(game.state, unit) else 0
    game.emit(UnitPlaced(unit.id, found, facing))
    meetings.look(game, unit.id)
    surrender.look(game)
    entering.resolve("done")


def _to(draft: Choosing, field: PickPoint) -> PickPoint:
    unit = unit_of(draft)
    box = strip(draft.state, unit.owner, ROW)
    return replace(field, regions=(outline_of(box),), radius=traits.RADIUS, default=middle_of(box))


ENTER: Final = Verb(
    Label("enter", "n", "Come in", "Through your own edge; then it may move."),
    enter,
    pick("unit", able(check_enter, MOVE)),
    point("to", _to),
    gesture=Gesture("unit", "to", "point", mark="move"),
)
