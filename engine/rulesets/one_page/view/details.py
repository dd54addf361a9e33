"""Details of the lazy fields of a choice, worked out on demand: reach, places, targets, and reasons against others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, cast

from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.replies import choice_named, next_field
from engine.core.rules.reply_fields import Fields
from engine.kit.verbs import Draft
from engine.rulesets.one_page.rules import (
    activations,
    contact,
    deployment,
    driving,
    formations,
    leader_ways,
    moving,
    psychic,
    traits,
    transports,
)
from engine.rulesets.one_page.rules.flow import VERBS
from engine.rulesets.one_page.state import names
from engine.rulesets.one_page.state.intents import Sally
from engine.rulesets.one_page.state.state import ABOARD, Battle, Unit
from engine.rulesets.one_page.view import prompts
from engine.space.movement.reach import DIRECTIONS, along
from engine.space.vectors.headings import ANGLES, ahead
from engine.space.vectors.outlines import outline_of
from engine.space.vectors.points import Point
from protocol.scene.fields import AnyField, Facing, Number, Option, PathPoint, PickOption, PickPoint, Pieces, Placement
from protocol.text import Text, text

RAILS: Final = 100
"""Distance of the points along a Vehicle's way."""
ACTIONS: Final = {"walk": "walk", "run": "run", "drive": "walk", "drive_fast": "run", "disembark": "disembark"}


def detail(state: Battle, seat: Seat, choice: str, filled: Mapping[str, object]) -> AnyField:
    """Return the first field of `choice` that `filled` lacks, with options and reasons. Raises IllegalIntent."""
    field = next_field(choice_named(prompts.choices(state, seat), choice), filled)
    if choice in VERBS and field.lazy:
        return VERBS.fill(Draft(state, seat, choice, filled), field)
    return _FILLED[field.key](state, seat, choice, field, Fields(filled)) if field.lazy else field


def _unit(state: Battle, fields: Fields) -> Unit:
    unit = state.units.get(fields.group("unit"))
    if unit is None:
        raise IllegalIntent("act/not-yours")
    return unit


def _to(state: Battle, seat: Seat, choice: str, field: AnyField, fields: Fields) -> AnyField:
    point = replace(cast("PickPoint", field), lazy=False)
    if choice in ("deploy", "deploy_vehicle", "double"):
        return _deploy_to(state, _unit(state, fields), point)
    if choice == "passage":
        target = state.units[fields.group("target")]
        at = state.leader(target).at
        return replace(point, start=at, reach=psychic.PASSAGE, regions=(_ring(at, psychic.PASSAGE),), default=at)
    unit = _unit(state, fields)
    action = ACTIONS[choice]
    limit = moving.allowance(state, unit, action)
    if unit.where == ABOARD:
        return _out_to(state, unit, point, limit)
    at = state.leader(unit).at
    region = leader_ways.region(state, unit, limit)
    size = traits.radius(state, state.leader(unit))
    return replace(point, start=at, reach=limit, regions=(region,), radius=size, default=at)


def _ring(at: Point, reach: int) -> tuple[Point, ...]:
    return tuple([along(at, direction, reach) for direction in DIRECTIONS[::2]])


def _out_to(state: Battle, unit: Unit, field: PickPoint, limit: int) -> PickPoint:
    """Return the places around the transport."""
    vessel = traits.base(state, state.leader(state.units[unit.vessel]))
    reach = vessel.radius + traits.radius(state, state.leader(unit)) + limit
    # on a wider lattice, at a quarter of the cost: a default need not be the nearest place
    places = formations.nearest_stand(state, unit, vessel.at, reach, step=2 * formations.STEP)
    default = places[unit.leader] if places else vessel.at
    return replace(field, start=vessel.at, reach=reach, regions=(_ring(vessel.at, reach),), default=default)


def _deploy_to(state: Battle, unit: Unit, field: PickPoint) -> PickPoint:
    box = deployment.strip(state, unit.owner, deployment.area(state, unit)) or (0, 0, *state.resolved.scenario.size)
    places = deployment.first_place(state, unit)
    default = places[unit.leader] if places else None
    size = traits.radius(state, state.leader(unit))
    return replace(field, regions=(outline_of(box),), radius=size, default=default)


def _via(state: Battle, seat: Seat, choice: str, field: AnyField, fields: Fields) -> AnyField:
    """Return a bend half way on the straight way, which changes nothing unless it is moved."""
    unit = _unit(state, fields)
    at = state.leader(unit).at
    if choice == "assault":
        target = state.units[fields.group("target")]
        end = contact.check_charge(state, unit, target).way[-1]
    else:
        end = fields.point("to")
    middle = ((at[0] + end[0]) // 2, (at[1] + end[1]) // 2)
    limit = moving.allowance(state, unit, ACTIONS.get(choice, choice))
    return replace(cast("PickPoint", field), lazy=False, start=at, reach=limit, default=middle)


def _places(state: Battle, seat: Seat, choice: str, field: AnyField, fields: Fields) -> AnyField:
    unit, to = _unit(state, fields), fields.point("to")
    if choice == "double":
        unit = deployment.merged(state, unit, state.units[fields.group("twin")])
    if choice in ("deploy", "double"):
        places = deployment.places_at(state, unit, to, {}, deployment.area(state, unit))
    else:
        places = formations.settled(state, unit, to, formations.FormationRoom(state, unit, to), {})
    others = [id for id in unit.figures if id != unit.leader]
    return replace(
        cast("Placement", field),
        lazy=False,
        around=to,
        radius=traits.radius(state, state.leader(unit)),
        within=formations.SPREAD,
        pieces=tuple(map(names.piece_node, others)),
        default={names.piece_node(id): places[id] for id in others},
    )


def _facing(state: Battle, seat: Seat, choice: str, field: AnyField, fields: Fields) -> AnyField:
    unit = _unit(state, fields)
    figure, profile = state.leader(unit), traits.profile(state, unit)
    at, now, angles = figure.at, figure.facing, ANGLES
    if choice == "deploy_vehicle":
        at, now = fields.point("to"), deployment.facing_of(state, seat)
    elif choice != "turn":
        angles = tuple([angle for angle in ANGLES if driving.turned(now, angle) <= driving.QUARTER])
    box = (profile.length, profile.width)
    return replace(cast("Facing", field), lazy=False, at=at, angles=angles, default=now, box=box)


def rail(limit: int) -> tuple[int, ...]:
    """Return the distances along a Vehicle's heading that are offered, in reverse first."""
    back = limit // 2 // RAILS * RAILS
    return (*range(-back, limit, RAILS), limit)


def _rails(state: Battle, seat: Seat, choice: str, field: AnyField, fields: Fields) -> AnyField:
    """Return points along the heading before the turn, or along the new one after it."""
    unit = _unit(state, fields)
    figure = state.leader(unit)
    limit = moving.allowance(state, unit, ACTIONS[choice])
    at, facing = figure.at, figure.facing
    if field.key == "ahead":
        at = ahead(at, facing, rail_distance(state, unit, choice, fields.number("before", 0)))
        facing = fields.number("facing", 0)
        if facing not in ANGLES:
            raise IllegalIntent("move/turn")
    path = tuple([ahead(at, facing, distance) for distance in rail(limit)])
    stay = rail(limit).index(0)
    return replace(cast("PathPoint", field), lazy=False, path=path, least=0, default=stay)


def rail_distance(state: Battle, unit: Unit, choice: str, place: int) -> int:
    """Return the distance of a point of the rail along the heading. Raises IllegalIntent where there is none."""
    distances = rail(moving.allowance(state, unit, ACTIONS[choice]))
    if not 0 <= place < len(distances):
        raise IllegalIntent("move/too-far")
    return distances[place]


def _target(state: Battle, seat: Seat, choice: str, field: AnyField, fields: Fields) -> AnyField:
    unit = _unit(state, fields)
    if choice in ("power", "passage"):
        return _power_target(state, unit, choice, field, fields)
    enemies = [other for other in state.standing() if other.owner != seat]
    check = _check_sally if choice == "sally" else _check_charge
    known = prompts.pick("target", state, enemies, partial(check, state, seat, unit))
    return prompts.filled(cast("Pieces", field), known)


def _check_sally(state: Battle, seat: Seat, unit: Unit, other: Unit) -> None:
    transports.check_sally(state, seat, Sally(unit.id, other.id))


def _check_charge(state: Battle, seat: Seat, unit: Unit, other: Unit) -> None:
    activations.check_action(state, seat, unit.id)
    contact.check_charge(state, unit, contact.check_target(state, unit, other.id))


def _power_target(state: Battle, unit: Unit, choice: str, field: AnyField, fields: Fields) -> AnyField:
    wanted = fields.word("power", "")
    known = psychic.known(state, unit)
    power = next((p for p in known if (p.effect == "passage" if choice == "passage" else p.id == wanted)), None)
    if power is None:
        raise IllegalIntent("power/unknown")
    return prompts.filled(cast("Pieces", field), prompts.pick("target", state, psychic.targets(state, unit, power)))


def _power(state: Battle, seat: Seat, choice: str, field: AnyField, fields: Fields) -> AnyField:
    unit = _unit(state, fields)
    able = [power for power in psychic.usable(state, unit) if power.effect != "passage"]
    options = tuple([Option(p.id, Text(p.name), text("op.hint.power", successes=p.successes)) for p in able])
    default = options[0].id if options else ""
    return replace(cast("PickOption", field), lazy=False, options=options, default=default)


def _dice(state: Battle, seat: Seat, choice: str, field: AnyField, fields: Fields) -> AnyField:
    """Return a number of dice that makes success likely: two for each success that is needed."""
    unit, wanted = _unit(state, fields), fields.word("power", "")
    power = next((p for p in state.resolved.powers if p.id == wanted or (p.effect == choice)), None)
    most = state.seats[unit.owner].dice
    usual = min(most, 2 * power.successes) if power is not None else 1
    return replace(cast("Number", field), lazy=False, most=most, default=max(1, usual))


def _vessel(state: Battle, seat: Seat, choice: str, field: AnyField, fields: Fields) -> AnyField:
    unit = _unit(state, fields)
    own = [u for u in state.standing() if u.owner == seat and u.id != unit.id and traits.is_machine(state, u)]
    known = prompts.pick("vessel", state, own, lambda u: transports.check_room(state, unit, u.id))
    return prompts.filled(cast("Pieces", field), known)


def _twin(state: Battle, seat: Seat, choice: str, field: AnyField, fields: Fields) -> AnyField:
    known = prompts.pick("twin", state, prompts.twins(state, seat, _unit(state, fields)))
    return prompts.filled(cast("Pieces", field), known)


def _host(state: Battle, seat: Seat, choice: str, field: AnyField, fields: Fields) -> AnyField:
    known = prompts.pick("host", state, prompts.hosts(state, seat, _unit(state, fields)))
    return prompts.filled(cast("Pieces", field), known)


_FILLED: Final[Mapping[str, Callable[[Battle, Seat, str, AnyField, Fields], AnyField]]] = {
    "to": _to,
    "via": _via,
    "places": _places,
    "facing": _facing,
    "before": _rails,
    "ahead": _rails,
    "target": _target,
    "power": _power,
    "dice": _dice,
    "vessel": _vessel,
    "twin": _twin,
    "host": _host,
}
