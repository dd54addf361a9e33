"""Transports: embarking, disembarking, and assaults out of them (OP-SR-22, OP-SR-07)."""

from __future__ import annotations

from functools import partial
from typing import Final

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent, is_legal
from engine.core.rules.game import Game
from engine.core.rules.implements import implements
from engine.core.rules.system import Intent
from engine.kit.verbs import Verb
from engine.rulesets.one_page.rules import activations, contact, formations, ground, melee, moving, traits
from engine.rulesets.one_page.rules.picking import Choosing, pick, unit_of, walkers
from engine.rulesets.one_page.state import profiles as rules
from engine.rulesets.one_page.state.events import UnitMoved
from engine.rulesets.one_page.state.intents import Disembark, Sally
from engine.rulesets.one_page.state.placing_events import UnitBoarded, UnitLanded
from engine.rulesets.one_page.state.state import ABOARD, TABLE, Battle, Unit
from engine.space.terrain.contact import contact_point
from engine.space.vectors.points import Point, floor_sqrt, squared, towards
from protocol.ids import FigureId, GroupId

HALF: Final = 2


class Embark(Intent, frozen=True, tag="op.embark"):
    """Move of a unit up to a transport and aboard."""

    unit: GroupId
    vessel: GroupId


@implements("OP-SR-22")
def check_room(state: Battle, unit: Unit, vessel: GroupId) -> Unit:
    """Return the transport if a unit may go aboard: a whole friendly Infantry unit that fits. Raises IllegalIntent."""
    found = state.units.get(vessel)
    if found is None or found.where != TABLE or found.owner != unit.owner:
        raise IllegalIntent("embark/no-transport")
    room = traits.profile(state, found).number(rules.TRANSPORT)
    if not room or not traits.is_infantry(state, unit):
        raise IllegalIntent("embark/no-transport")
    taken = sum(len(rider.figures) for rider in state.riders(vessel))
    if taken + len(unit.figures) > room:
        raise IllegalIntent("embark/full")
    return found


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
    unit = game.state.units[embark.unit]
    activations.begin(game, embark.unit, "embark")
    game.emit(UnitMoved(embark.unit, "run", way, {unit.leader: way[-1]}))
    await moving.cross_mines(game, embark.unit, way)
    if game.state.units[embark.unit].where == TABLE:
        game.emit(UnitBoarded(embark.unit, embark.vessel))


def vessels(state: Battle, unit: Unit) -> list[Unit]:
    """Return the transports that have room for a unit."""
    own = [u for u in state.standing() if u.owner == unit.owner and traits.profile(state, u).has(rules.TRANSPORT)]
    return [o for o in own if is_legal(partial(check_room, state, unit, o.id))]


def machines(draft: Choosing) -> list[Unit]:
    """Return the other machines of the picked unit's side, which one might take for transports."""
    state, unit = draft.state, unit_of(draft)
    return [u for u in state.standing() if u.owner == draft.seat and u.id != unit.id and traits.is_machine(state, u)]


EMBARK: Final = Verb(
    id="embark",
    title="Embark",
    hint="Run up to a friendly transport and get in.",
    key="n",
    intent=Embark,
    run=embark,
    fields=(
        pick("unit", lambda draft: [unit for unit in walkers(draft) if vessels(draft.state, unit)]),
        pick(
            "vessel",
            machines,
            lambda draft, vessel: check_embark(draft.state, draft.seat, Embark(unit_of(draft).id, vessel.id)),
        ),
    ),
)


@implements("OP-SR-22", "OP-MOVE-01")
def check_disembark(state: Battle, seat: int, landing: Disembark) -> tuple[tuple[Point, ...], dict[FigureId, Point]]:
    """Return the way of the leader from the transport's edge, and the places of all models. Raises IllegalIntent."""
    unit = activations.check_action(state, seat, landing.unit, ABOARD)
    way = way_out(state, unit, landing.to)
    _check_out(state, unit, way, moving.allowance(state, unit, "disembark"), ())
    return way, formations.settled(
        state, unit, landing.to, formations.FormationRoom(state, unit, landing.to), landing.places
    )


def way_out(state: Battle, unit: Unit, to: Point) -> tuple[Point, ...]:
    """Return the straight way from the leader's contact with the transport to a place. Raises IllegalIntent at its
    centre."""
    vessel = traits.base(state, state.leader(state.units[unit.vessel]))
    if squared(vessel.at, to) == 0:
        raise IllegalIntent("move/too-near")
    edge = vessel.radius + traits.radius(state, state.leader(unit))
    return (towards(vessel.at, to, min(edge, floor_sqrt(squared(vessel.at, to)))), to)


def _check_out(state: Battle, unit: Unit, way: tuple[Point, ...], limit: int, contact: tuple[str, ...]) -> None:
    """Check a way from a transport: it passes the transport itself, but ends an inch from it. Raises IllegalIntent."""
    vessel = unit.vessel
    if ground.cost(state, unit, *way) > limit:
        raise IllegalIntent("move/too-far-out")
    moving.check_way(state, unit, way, limit, (vessel, *contact))
    size = traits.radius(state, state.leader(unit))
    fault = formations.FormationRoom(state, unit, way[-1], contact).fault(way[-1], size)
    if fault:
        raise IllegalIntent("move/too-near")


@implements("OP-SR-22")
async def disembark(game: Game[Battle], seat: Seat, landing: Disembark) -> None:
    """Disembark a unit as its Walk; it may shoot then."""
    way, places = check_disembark(game.state, seat, landing)
    activations.begin(game, landing.unit, "walk")
    game.emit(UnitLanded(landing.unit, places))
    await moving.cross_mines(game, landing.unit, way)


@implements("OP-SR-07")
def check_sally(state: Battle, seat: int, sally: Sally) -> tuple[Unit, Unit, contact.Charge]:
    """Return a Furious unit, its target and its charge from the transport at half movement. Raises IllegalIntent."""
    unit = activations.check_action(state, seat, sally.unit, ABOARD)
    if not all(traits.model_has(state, f, rules.FURIOUS) or rules.FURIOUS in unit.effects for f in state.models(unit)):
        raise IllegalIntent("assault/not-furious")
    target = contact.check_target(state, unit, sally.target)
    vessel = state.leader(state.units[unit.vessel])
    refused: IllegalIntent | None = None
    for goal in contact.goals(state, unit, target, vessel.at):
        way = way_out(state, unit, goal)
        try:
            limit = moving.allowance(state, unit, "assault") // HALF
            moving.check_way(state, unit, way, limit, (unit.vessel, target.id), dry=True)
        except IllegalIntent as illegal:
            refused = refused or illegal
            continue
        places = contact.around(state, unit, target, goal)
        if places is not None:
            return unit, target, contact.Charge(way, places)
    raise refused or IllegalIntent("place/no-room")


@implements("OP-SR-07")
async def sally(game: Game[Battle], seat: Seat, sally: Sally) -> None:
    """Assault out of a transport with a Furious unit."""
    unit, target, charge = check_sally(game.state, seat, sally)
    activations.begin(game, unit.id, "assault", target.id)
    game.emit(UnitLanded(unit.id, charge.places))
    await melee.close_in(game, unit.id, target.id, charge)
