"""Transports: units start aboard, embark and disembark (OP-SR-22)."""

from __future__ import annotations

from functools import partial
from typing import Final

import msgspec
from msgspec.structs import replace

from engine.kit import units
from engine.kit.blanks import places, point
from engine.kit.board.place_fields import reached
from engine.kit.rules import Game, Gesture, IllegalIntent, Label, Seat, UnitIntent, Verb, forbid, implements, passing
from engine.rulesets.one_page.rules import activations, casualties, deployment, formations, ground, moving, traits
from engine.rulesets.one_page.rules.picking import Choosing, pick, settled, unit_of, whole
from engine.rulesets.one_page.state import names, profiles as rules
from engine.rulesets.one_page.state.events import Activated, UnitMoved
from engine.rulesets.one_page.state.placing_events import UnitBoarded, UnitLanded
from engine.rulesets.one_page.state.state import ABOARD, TABLE, Battle, Unit
from engine.space.terrain.contact import contact_point
from engine.space.vectors.points import Point, floor_sqrt, squared, towards
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import PickPoint


class Load(UnitIntent, frozen=True, tag="op.load"):
    """Start of a unit aboard a transport."""

    vessel: GroupId


class Embark(UnitIntent, frozen=True, tag="op.embark"):
    """Move of a unit up to a transport and aboard."""

    vessel: GroupId


class Disembark(UnitIntent, frozen=True, tag="op.disembark"):
    """Landing of a unit as its Walk."""

    to: Point
    places: dict[FigureId, Point] = msgspec.field(default_factory=dict)


@implements("OP-SR-22")
def check_room(state: Battle, unit: Unit, vessel: GroupId) -> Unit:
    """Return the transport if a unit may go aboard: a whole friendly Infantry unit that fits. Raises IllegalIntent."""
    found, at = state.units.get(vessel), names.group_node(vessel)
    if found is None or found.where != TABLE or found.owner != unit.owner:
        raise IllegalIntent("embark/no-transport").showing(at=at)
    room = traits.profile(state, found).number(rules.TRANSPORT)
    forbid(not room or not traits.profile(state, unit).infantry, "embark/no-transport", at)
    taken = sum(len(rider.figures) for rider in state.riders(vessel))
    forbid(taken + len(unit.figures) > room, "embark/full", at)
    return found


@implements("OP-SR-22")
async def load(game: Game[Battle], seat: Seat, load: Load) -> None:
    """Put a unit aboard a transport at the start of the game."""
    unit = game.state.check_placing(seat, load.unit)
    forbid(game.state.phase == "reserves", "deploy/not-now")
    check_room(game.state, unit, load.vessel)
    game.emit(UnitBoarded(unit.id, load.vessel))


@implements("OP-SR-22")
def check_embark(state: Battle, seat: int, embark: Embark) -> tuple[Point, ...]:
    """Return the way of the leader to the transport, by Walk or Run. Raises IllegalIntent."""
    unit = activations.check_action(state, seat, embark.unit)
    vessel = check_room(state, unit, embark.vessel)
    base = traits.base(state, state.leader(unit))
    way = (base.at, contact_point(base, traits.base(state, state.leader(vessel))))
    moving.check_way(state, unit, way, moving.allowance(state, unit, "run"), {vessel.id})
    return way


@implements("OP-SR-22")
async def embark(game: Game[Battle], seat: Seat, embark: Embark) -> None:
    """Move a unit into contact with a transport and aboard; that ends its move."""
    way = check_embark(game.state, seat, embark)
    before = game.state
    unit = before.units[embark.unit]
    boarding = units.declare(game, "embark", embark.unit, embark.vessel)
    game.emit(Activated(embark.unit, "embark"))
    game.emit(UnitMoved(embark.unit, "run", way, {unit.leader: way[-1]}))
    await casualties.cross_mines(game, before, embark.unit, way)
    if game.state.units[embark.unit].where == TABLE:
        game.emit(UnitBoarded(embark.unit, embark.vessel))
    boarding.resolve("done" if game.state.units[embark.unit].where == ABOARD else "stopped")


@implements("OP-SR-22", "OP-MOVE-01")
def check_disembark(state: Battle, seat: int, landing: Disembark) -> tuple[tuple[Point, ...], dict[FigureId, Point]]:
    """Return the way of the leader from the transport's edge, and the places of all models: the way passes the
    transport itself, but ends an inch from it. Raises IllegalIntent."""
    unit = activations.check_action(state, seat, landing.unit, ABOARD)
    way, limit = way_out(state, unit, landing.to), moving.allowance(state, unit, "disembark")
    forbid(ground.cost(state, unit, *way) > limit, "move/too-far-out", landing.to)
    moving.check_way(state, unit, way, limit, (unit.vessel,))
    room = formations.FormationRoom(state, unit, landing.to)
    forbid(room.fault(landing.to, traits.radius(state, state.leader(unit))), "move/too-near", landing.to)
    return way, formations.settled(state, unit, landing.to, landing.places, room)


def way_out(state: Battle, unit: Unit, to: Point) -> tuple[Point, ...]:
    """Return the straight way from the leader's contact with the transport to a place. Raises IllegalIntent at its
    centre."""
    vessel = traits.base(state, state.leader(state.units[unit.vessel]))
    forbid(squared(vessel.at, to) == 0, "move/too-near")
    edge = vessel.radius + traits.radius(state, state.leader(unit))
    return (towards(vessel.at, to, min(edge, floor_sqrt(squared(vessel.at, to)))), to)


@implements("OP-SR-22")
async def disembark(game: Game[Battle], seat: Seat, landing: Disembark) -> None:
    """Disembark a unit as its Walk; it may shoot then."""
    way, places = check_disembark(game.state, seat, landing)
    walking = activations.begin(game, landing.unit, "walk")
    before = game.state
    game.emit(UnitLanded(landing.unit, places))
    await casualties.cross_mines(game, before, landing.unit, way)
    walking.resolve("done")


def _that_fit(draft: Choosing, units: list[Unit]) -> list[Unit]:
    """Return those units for which some transport has room."""
    state, seat = draft.state, draft.seat
    own = [u.id for u in state.units_of(seat, TABLE) if traits.profile(state, u).has(rules.TRANSPORT)]
    return [unit for unit in units if passing(own, partial(check_room, state, unit))]


def _machines(draft: Choosing) -> list[Unit]:
    """Return the other machines of the picked unit's side, which one might take for transports."""
    state, unit = draft.state, unit_of(draft)
    return [u for u in state.units_of(draft.seat, TABLE) if u.id != unit.id and traits.is_machine(state, u)]


LOAD: Final = Verb(
    Label("load", "l", "Start aboard", "The unit starts the battle inside a transport."),
    load,
    pick("unit", lambda draft: _that_fit(draft, [] if draft.state.phase == "reserves" else deployment.on_foot(draft))),
    pick("vessel", _machines, lambda draft, vessel: check_room(draft.state, unit_of(draft), vessel.id)),
    gesture=Gesture("unit", "vessel", "group", mark="ride"),
)
EMBARK: Final = Verb(
    Label("embark", "n", "Embark", "Run up to a friendly transport and get in."),
    embark,
    pick("unit", lambda draft: _that_fit(draft, activations.walkers(draft))),
    pick("vessel", _machines, whole(check_embark, Embark)),
    gesture=Gesture("unit", "vessel", "group", mark="ride"),
)


def _out(draft: Choosing, field: PickPoint) -> PickPoint:
    """Return a field of the places around the transport."""
    state, unit = draft.state, unit_of(draft)
    vessel = traits.base(state, state.leader(state.units[unit.vessel]))
    reach = vessel.radius + traits.radius(state, state.leader(unit)) + moving.allowance(state, unit, "disembark")
    # on a wider lattice, at a quarter of the cost: a default need not be the nearest place
    found = formations.nearest_stand(state, unit, vessel.at, reach, step=2 * formations.STEP)
    return replace(reached(field, vessel.at, reach), default=found[unit.leader] if found else vessel.at)


DISEMBARK: Final = Verb(
    Label("disembark", "o", "Disembark", "Get out with a Walk, then shoot."),
    disembark,
    pick("unit", activations.riding),
    point("to", _out),
    places("places", settled),
    gesture=Gesture("unit", "to", "point", mark="move"),
)
