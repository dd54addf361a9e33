"""Deployment: zones, arrivals, scouts, and two copies as one unit (OP-SETUP-03, OP-UNIT-02)."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import msgspec
from msgspec.structs import replace

from engine.kit.blanks import facing, places, point
from engine.kit.board.place_fields import turned
from engine.kit.rules import Game, Gesture, IllegalIntent, Label, Seat, UnitIntent, Verb, forbid, implements, passing
from engine.rulesets.one_page.content.lists import may_double
from engine.rulesets.one_page.rules import casualties, formations, mines, traits
from engine.rulesets.one_page.rules.picking import Choosing, others_at, pick, unit_of
from engine.rulesets.one_page.state import profiles as rules
from engine.rulesets.one_page.state.placing_events import PlacingBegun, UnitJoined, UnitPlaced
from engine.rulesets.one_page.state.state import AWAY, Battle, Unit
from engine.space.vectors.headings import ANGLES
from engine.space.vectors.outlines import outline_of
from engine.space.vectors.points import Box, Point
from protocol.ids import NO_GROUP, FigureId, GroupId
from protocol.scene.fields import Facing, PickPoint, Placement

DEEP: Final = 1200
"""OP-SETUP-03: the depth of a deployment zone."""
FROM_ENEMIES: Final = 1200
"""OP-SR-02, OP-SR-17: least distance from enemies of a unit that comes in anywhere."""
EDGE: Final = 600
"""OP-SR-02: depth of the edge strip for a unit that may come in nowhere else."""
DEPTHS: Final = (950, 450, 300)
"""Distances from the own edge that are tried for a leader placed by default."""
FILES: Final = 600
"""Distance of such places along the edge."""
LOOKS: Final = {"south": 90, "north": 270}


class Deploy(UnitIntent, frozen=True, tag="op.deploy"):
    """Deployment of a unit: its leader at `to`, the others around. `facing`: of a machine, towards the enemy's side if
    it is negative; `twin`: the second copy of a big unit."""

    to: Point
    facing: int = -1
    twin: GroupId = NO_GROUP
    places: dict[FigureId, Point] = msgspec.field(default_factory=dict)


@implements("OP-SETUP-03")
def zone(state: Battle, seat: int, depth: int = DEEP) -> Box:
    """Return the strip along a player's own long edge, `depth` hundredths of an inch deep."""
    return strip(state, state.seats[seat].side, depth)


@implements("OP-SETUP-03")
def strip(state: Battle, side: str, depth: int = DEEP) -> Box:
    """Return the strip along a long edge of the table, south or north, `depth` hundredths of an inch deep."""
    width, height = state.resolved.scenario.size
    return (0, 0, width, depth) if side == "south" else (0, height - depth, width, height)


@implements("OP-SR-17", "OP-SETUP-03")
def to_place(state: Battle, seat: int, phase: str) -> tuple[GroupId, ...]:
    """Return the units that a player deploys in a phase: first all but Scouts, then Scouts."""
    away = state.units_of(seat, AWAY)
    return tuple([unit.id for unit in away if traits.has(state, unit, rules.SCOUT) == (phase == "scouts")])


@implements("OP-SETUP-03", "OP-SR-02", "OP-SR-17")
def areas(state: Battle, unit: Unit) -> tuple[Box | None, ...]:
    """Return the box that the bases of a unit that comes on to the table may not leave, None where it may be anywhere
    far from enemies: its zone, anywhere, or, without Deep Strike, its edge; then that where it comes in without room
    there."""
    if state.phase == "deploy":
        return (zone(state, unit.owner),)
    scouts = state.phase == "scouts"
    near = zone(state, unit.owner, DEEP if scouts else EDGE)
    return (None, near) if scouts or traits.has(state, unit, rules.DEEP_STRIKE) else (near,)


def room_at(
    state: Battle, unit: Unit, lead: Point, within: Box | None, reach: int = formations.REACH
) -> formations.FormationRoom:
    """Return the room around the leader of a unit that comes on to the table in an area."""
    room = formations.FormationRoom(state, unit, lead, reach=reach, within=within)
    if within is None:
        room.keep_off(state, unit.owner, FROM_ENEMIES)
    return room


def check_deploy(state: Battle, seat: int, deploy: Deploy) -> tuple[Unit, dict[FigureId, Point]]:
    """Return the unit as it comes on to the table (with its twin) and its places. Raises IllegalIntent."""
    unit = state.check_placing(seat, deploy.unit)
    if deploy.twin:
        unit = merged(state, unit, check_twin(state, seat, unit, deploy.twin))
    forbid(deploy.facing >= 0 and deploy.facing not in ANGLES, "move/turn")
    return unit, places_at(state, unit, deploy.to, deploy.places, areas(state, unit)[0])


def places_at(
    state: Battle, unit: Unit, to: Point, places: dict[FigureId, Point], within: Box | None
) -> dict[FigureId, Point]:
    """Return the models' places with their leader at `to`. Raises IllegalIntent."""
    room = room_at(state, unit, to, within)
    fault = room.fault(to, traits.radius(state, state.leader(unit)))
    if fault:
        raise IllegalIntent(f"deploy/{fault}")
    return formations.settled(state, unit, to, places, room)


@implements("OP-UNIT-02")
def check_twin(state: Battle, seat: int, unit: Unit, twin: GroupId) -> Unit:
    """Return another copy of the same Infantry unit with the same upgrades, so that both can be one unit. Raises
    IllegalIntent."""
    other = state.check_placing(seat, twin)
    one, two = state.entry_of(unit), state.entry_of(other)
    same = one.profile == two.profile and unit.id != twin
    forbid(not same or one.doubled or two.doubled or not may_double(one.profile), "deploy/twin")
    whole = [set(entry.upgrades).intersection(state.resolved.whole) for entry in (one, two)]
    forbid(whole[0] != whole[1], "deploy/twin-upgrades")
    return other


def merged(state: Battle, unit: Unit, twin: Unit) -> Unit:
    """Return the big unit that two copies make."""
    return UnitJoined(twin.id, unit.id).apply(state).units[unit.id]


@implements("OP-SETUP-03", "OP-UNIT-02")
async def deploy(game: Game[Battle], seat: Seat, deploy: Deploy) -> None:
    """Put a unit on the table."""
    unit, places = check_deploy(game.state, seat, deploy)
    if deploy.twin:
        game.emit(UnitJoined(deploy.twin, unit.id))
    before = game.state
    game.emit(UnitPlaced(unit.id, places, facing_of(before, unit, deploy.facing)))
    await casualties.cross_mines(game, before, unit.id)


@implements("OP-SETUP-03")
def facing_of(state: Battle, unit: Unit, wish: int = -1) -> int:
    """Return the facing of a unit that comes on to the table, in degrees: of a machine the wished one, or, if that is
    negative, towards the enemy's side; 0 for others."""
    if not traits.is_machine(state, unit):
        return 0
    return wish if wish >= 0 else LOOKS[state.seats[unit.owner].side]


def wishes(state: Battle, unit: Unit) -> list[Point]:
    """Return places to try for a unit that its owner has not placed: spread along its area."""
    width, height = state.resolved.scenario.size
    rows = DEPTHS if state.seats[unit.owner].side == "south" else tuple([height - y for y in DEPTHS])
    own = [other.id for other in state.units.values() if other.owner == unit.owner]
    share = (own.index(unit.id) * 2 + 1) * width // (2 * len(own))
    columns = sorted(range(FILES // 2, width, FILES), key=lambda x: abs(x - share))
    return [(x, y) for y in rows for x in columns]


@implements("OP-SETUP-03", "OP-SR-02")
def first_place(state: Battle, unit: Unit) -> dict[FigureId, Point] | None:
    """Return the first free places for a unit, in its area or, without any there, where the rules let it come in
    instead; None without any at all. Places among mines come last in each."""
    tried = wishes(state, unit)
    radius = traits.radius(state, state.leader(unit))
    for within in areas(state, unit):
        wide, mined = room_at(state, unit, tried[0], within, max(state.resolved.scenario.size)), None
        for wish in wide.leads_at(tried, radius):
            with suppress(IllegalIntent):
                found = places_at(state, unit, wish, {}, within)
                if not mines.among(state, found.values()):
                    return found
                mined = mined or found
        if mined is not None:
            return mined
    return None


def begin(game: Game[Battle], seat: int, phase: str) -> None:
    """Begin a player's deployment of a phase; reserves that cannot arrive are not asked for."""
    game.emit(PlacingBegun(seat, phase, to_place(game.state, seat, phase)))


def to_place_now(draft: Choosing) -> list[Unit]:
    """Return the units that may be placed now."""
    return draft.state.to_place()


def on_foot(draft: Choosing) -> list[Unit]:
    """Return those of them that are no Vehicles."""
    return [unit for unit in to_place_now(draft) if not traits.is_vehicle(draft.state, unit)]


def _twins(draft: Choosing, unit: Unit) -> list[Unit]:
    """Return the units that could be the unit's second copy."""
    state, seat, own = draft.state, draft.seat, traits.profile(draft.state, unit)
    # refusing all others, of every unit each, takes 5 ms of a large army
    others = [other for other in to_place_now(draft) if traits.profile(state, other) == own]
    return passing(others, lambda other: check_twin(state, seat, unit, other.id))


def _to(draft: Choosing, field: PickPoint) -> PickPoint:
    """Return a field of the places in the unit's area, by default the first free one."""
    state, unit = draft.state, unit_of(draft)
    box = areas(state, unit)[0] or (0, 0, *state.resolved.scenario.size)
    found = first_place(state, unit)
    size = traits.radius(state, state.leader(unit))
    return replace(field, regions=(outline_of(box),), radius=size, default=found[unit.leader] if found else None)


def _places(draft: Choosing, field: Placement) -> Placement:
    state, unit, to = draft.state, unit_of(draft), draft.point("to")
    if draft.choice == "double":
        unit = merged(state, unit, unit_of(draft, "twin"))
    return others_at(draft, field, unit, to, places_at(state, unit, to, {}, areas(state, unit)[0]))


def _facing(draft: Choosing, field: Facing) -> Facing:
    unit = unit_of(draft)
    return turned(field, draft.point("to"), facing_of(draft.state, unit), traits.profile(draft.state, unit).box)


DEPLOY: Final = Verb(
    Label("deploy", "d", "Deploy a unit", "Pick a place for its leader. The others form up around him."),
    deploy,
    pick("unit", on_foot),
    point("to", _to),
    places("places", _places),
    gesture=Gesture("unit", "to", "point", mark="move"),
)
DEPLOY_VEHICLE: Final = Verb(
    Label("deploy_vehicle", "v", "Deploy a Vehicle", "Pick its place and facing."),
    deploy,
    pick("unit", to_place_now, only=lambda draft, unit: traits.is_vehicle(draft.state, unit)),
    point("to", _to),
    facing("facing", _facing),
    gesture=Gesture("unit", "to", "point", mark="move"),
)
DOUBLE: Final = Verb(
    Label("double", "b", "Deploy two as one", "Merge two copies of an Infantry unit into one big unit."),
    deploy,
    pick("unit", on_foot, only=lambda draft, unit: draft.state.phase != "reserves" and _twins(draft, unit)),
    pick("twin", lambda draft: _twins(draft, unit_of(draft))),
    point("to", _to),
    places("places", _places),
    gesture=Gesture("unit", "to", "point", 1, "move"),
)
