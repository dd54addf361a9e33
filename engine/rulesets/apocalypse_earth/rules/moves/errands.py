"""Errands of single figures: radio sets and guns taken over, wounded men carried and treated (AE-OPEN-26, AE-OPEN-02,
AE-CAS-01)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import replace

from engine.kit.blanks import Blank, pieces, point
from engine.kit.pools import DieTest
from engine.kit.rules import Game, Gesture, IllegalIntent, Label, Seat, Verb, forbid, implements, passing
from engine.kit.units import UnitIntent
from engine.rulesets.apocalypse_earth.rules.moves import marching
from engine.rulesets.apocalypse_earth.rules.table import meetings, stands, traits, ways
from engine.rulesets.apocalypse_earth.rules.turns import activations, surrender
from engine.rulesets.apocalypse_earth.rules.turns.picking import Choosing, able, pick, unit_of
from engine.rulesets.apocalypse_earth.state import names, profiles
from engine.rulesets.apocalypse_earth.state.captive_events import CarriedAlong, ManTaken, ManTreated
from engine.rulesets.apocalypse_earth.state.lasting import CARRIES, LostGun, March, Wounded
from engine.rulesets.apocalypse_earth.state.state import FIRE, POWERS, TABLE, Battle, Figure, Unit
from engine.rulesets.apocalypse_earth.state.support_events import FigureBusy, GunTaken, SetTaken
from engine.rulesets.apocalypse_earth.state.turn_events import MarchEnded
from engine.space.terrain.contact import Base
from engine.space.vectors.points import Point, floor_sqrt, squared, towards, within
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import Option, PickPoint, Pieces

TREAT: Final = "ae.dice.treat"
UP: Final = DieTest(6)
AIDED: Final = DieTest(3)
COST: Final = 300
"""AE-OPEN-26, AE-OPEN-02: what it costs to take up a radio set, or to take over a gun."""
ARM: Final = 2 * traits.RADIUS
"""Distance of the centres of two men in contact."""
TAKEN, FRIEND = 200, 600
"""An enemy so near takes a man down of whom no friend is so near."""


class TakeSet(UnitIntent, frozen=True, tag="ae.take_set"):
    """Radio set that the nearest figure of a unit takes up."""


class TakeGun(UnitIntent, frozen=True, tag="ae.take_gun"):
    """Gun of a lost gunner that the nearest figure of a unit takes over."""


class Carry(UnitIntent, frozen=True, tag="ae.carry"):
    """Way of a man down, in the arms of the nearest figure of a unit, to a place."""

    man: FigureId
    to: Point


class Treat(UnitIntent, frozen=True, tag="ae.treat"):
    """Treatment of a man down by a medic of a unit."""

    man: FigureId


def _beside(figure: Figure, body: Point) -> Point:
    """Return the place at which a figure is in contact with a body."""
    return towards(figure.at, body, max(0, floor_sqrt(squared(figure.at, body)) - ARM))


def _check_way(state: Battle, unit: Unit, figure: Figure, path: Sequence[Point], cost: int, code: str) -> None:
    """Check that a figure goes along a path by itself, with what is left of its movement, and may stand at its end.
    Raises IllegalIntent."""
    end, others = path[-1], [one.at for one in state.members(unit) if one.id != figure.id]
    forbid(figure.shaken or cost > ways.left(state, unit, figure.id), code, end)
    if end != figure.at:
        crowded = any(squared(at, end) < ARM * ARM for at in others)
        barred = crowded or stands.StandRoom(state, unit).fault(Base(figure.id, end, traits.RADIUS))
        forbid(barred or not stands.StandRoom(state, unit).is_free(figure.at, path), code, end)


def _fetching(state: Battle, unit: Unit, able: Sequence[Figure], body: Point, code: str) -> tuple[Figure, Point, int]:
    """Return the nearest of some figures that fetches what lies at a place, where it stands then, and what that costs
    of its movement. Raises IllegalIntent."""
    figure = min(able, key=lambda one: (one.shaken, squared(one.at, body)))
    path = (figure.at, _beside(figure, body))
    cost = ways.cost(state, unit, path) + COST
    _check_way(state, unit, figure, path, cost, code)
    return figure, path[-1], cost


def _fetched(game: Game[Battle], unit: GroupId, figure: Figure, to: Point, cost: int, why: str) -> bool:
    """Let a figure of a unit go to what it fetches, at a cost of its movement. Return True where no hidden enemy stops
    it."""
    arrived = meetings.move(game, unit, {figure.id: (figure.at, to)}, why)
    gone = ways.cost(game.state, game.state.units[unit], (figure.at, game.state.figures[figure.id].at))
    game.emit(MarchEnded(unit, {figure.id: cost if arrived else gone}))
    surrender.look(game)
    return arrived


@implements("AE-OPEN-26")
def check_take(state: Battle, seat: int, id: GroupId) -> tuple[Figure, Point, int]:
    """Return the figure that takes up the set, where it stands then, and what that costs of its movement. Raises
    IllegalIntent."""
    unit, body = activations.check_step(state, seat, id, POWERS), state.radio_sets.get(id)
    if body is None or unit.where != TABLE:
        raise IllegalIntent("set/none")
    return _fetching(state, unit, state.members(unit), body, "set/far")


@implements("AE-OPEN-26")
async def take_set(game: Game[Battle], seat: Seat, take: TakeSet) -> None:
    """Let a figure take up the set of its unit's fallen operator, for a part of its movement: it works from the next
    turn on."""
    figure, to, cost = check_take(game.state, seat, take.unit)
    taking = activations.start(game, "take_set", take.unit, step=POWERS)
    arrived = _fetched(game, take.unit, figure, to, cost, "set")
    if arrived:
        game.emit(SetTaken(take.unit, figure.id, game.state.turn + 1))
    taking.resolve("done" if arrived else "stopped")


@implements("AE-OPEN-02")
def check_take_gun(state: Battle, seat: int, id: GroupId) -> tuple[LostGun, Figure, Point, int]:
    """Return the nearest gun that lies there for a unit, the figure without one that takes it over, where it stands
    then, and what that costs of its movement. Raises IllegalIntent."""
    unit = activations.check_step(state, seat, id, POWERS)
    able = [one for one in state.members(unit) if not state.guns_of(one)]
    lying = [gun for gun in state.guns if gun.unit == id and unit.where == TABLE]
    forbid(not (able and lying), "gun/none")
    gun = min(lying, key=lambda gun: min(squared(one.at, gun.at) for one in able))
    return gun, *_fetching(state, unit, able, gun.at, "gun/far")


@implements("AE-OPEN-02")
async def take_gun(game: Game[Battle], seat: Seat, take: TakeGun) -> None:
    """Let a figure take over the gun of its unit's lost gunner, for a part of its movement."""
    gun, figure, to, cost = check_take_gun(game.state, seat, take.unit)
    taking = activations.start(game, "take_gun", take.unit, step=POWERS)
    arrived = _fetched(game, take.unit, figure, to, cost, "gun")
    if arrived:
        game.emit(GunTaken(take.unit, figure.id, gun))
    taking.resolve("done" if arrived else "stopped")


def _man(state: Battle, seat: int, figure: FigureId) -> Wounded:
    """Return a man down of a seat. Raises IllegalIntent."""
    found = next((one for one in state.wounded if one.figure == figure), None)
    if found is None or state.units[found.unit].owner != seat:
        raise IllegalIntent("carry/nobody")
    return found


@implements("AE-CAS-01")
def check_bearers(state: Battle, seat: int, id: GroupId) -> Unit:
    """Return a unit that may carry a man down now, once in an action. Raises IllegalIntent."""
    unit = activations.check_step(state, seat, id, POWERS)
    forbid(state.active is not None and state.active.carried, "act/step-past")
    return unit


@implements("AE-CAS-01")
def check_carriers(state: Battle, seat: int, id: GroupId) -> list[FigureId]:
    """Return the men down whom a unit may carry. Raises IllegalIntent."""
    unit = check_bearers(state, seat, id)
    men = {man.figure: state.figures[man.figure].at for man in state.wounded if man.unit == id and unit.where == TABLE}
    left = {one.at: ways.left(state, unit, one.id) + ARM for one in state.members(unit)} if men else {}
    near = [man for man, body in men.items() if any(floor_sqrt(squared(at, body)) < far for at, far in left.items())]
    forbid(not near, "carry/nobody")
    return near


@implements("AE-CAS-01")
def laden(state: Battle, unit: Unit, path: Sequence[Point]) -> int:
    """Return what the way of a carrier costs: straight to the man, and twice as much from there on."""
    return ways.cost(state, unit, path[:2]) + 2 * ways.cost(state, unit, path[1:])


@implements("AE-CAS-01")
def check_carry(state: Battle, seat: int, carry: Carry) -> March:
    """Return the way of the nearest figure of a man's unit that goes to him, and with him at half movement. Raises
    IllegalIntent."""
    unit = check_bearers(state, seat, carry.unit)
    man = _man(state, seat, carry.man)
    forbid(unit.where != TABLE or man.unit != unit.id, "carry/nobody")
    body = state.figures[man.figure].at
    carrier = min(state.members(unit), key=lambda one: (one.shaken, squared(one.at, body)))
    start = _beside(carrier, body)
    path = (carrier.at, start, carry.to)
    cost = laden(state, unit, path)
    _check_way(state, unit, carrier, path, cost, "carry/far")
    others = {one.id: (one.at, one.at) for one in state.members(unit)}
    return March(unit.id, CARRIES, carrier.id, {**others, carrier.id: path}, cost)


@implements("AE-CAS-01")
async def carry(game: Game[Battle], seat: Seat, carry: Carry) -> None:
    """Carry a man down, who is left where his carrier is stopped; the carrier does not fire."""
    march = check_carry(game.state, seat, carry)
    carrying = activations.start(game, "carry", carry.unit)
    arrived = await marching.carry_out(game, march, cost=laden)
    activations.take(game, POWERS)
    if arrived and march.lead in game.state.units[carry.unit].figures:
        game.emit(FigureBusy(march.lead), CarriedAlong({carry.man: carry.to}))
    carrying.resolve("done" if arrived else "stopped")


@implements("AE-OPEN-26", "AE-CAS-01")
def check_treat(state: Battle, seat: int, treat: Treat) -> tuple[Figure, Point]:
    """Return the medic of a unit who gets to a man down with what he has left of his movement, and his place. Raises
    IllegalIntent."""
    unit = activations.check_step(state, seat, treat.unit, FIRE)
    man = _man(state, seat, treat.man)
    able = traits.bearers(state, unit, profiles.MEDIC)
    medics = [state.figures[id] for id in able if id not in state.busy]
    forbid(unit.where != TABLE or unit.fired or man.aided or not medics, "treat/nobody")
    body = state.figures[man.figure].at
    medic = min(medics, key=lambda one: squared(one.at, body))
    path = (medic.at, _beside(medic, body))
    _check_way(state, unit, medic, path, ways.cost(state, unit, path), "treat/far")
    return medic, path[-1]


def check_medics(state: Battle, seat: int, id: GroupId) -> list[FigureId]:
    """Return the men down whom a unit may treat. Raises IllegalIntent."""
    found = passing([man.figure for man in state.wounded], lambda man: check_treat(state, seat, Treat(id, man)))
    forbid(not found, "treat/nobody")
    return found


@implements("AE-OPEN-26", "AE-CAS-01")
async def treat(game: Game[Battle], seat: Seat, treat: Treat) -> None:
    """Treat a man down in place of the medic's fire, unless a hidden enemy stops the medic on the way."""
    medic, to = check_treat(game.state, seat, treat)
    treating = activations.start(game, "treat", treat.unit, step=FIRE)
    if not meetings.move(game, treat.unit, {medic.id: (medic.at, to)}, "treat"):
        surrender.look(game)
        treating.resolve("stopped")
        return
    [face] = game.roll(AIDED.pool(1), TREAT, seat).faces
    how = "up" if UP.passed(face) else "aided" if AIDED.passed(face) else "vain"
    game.emit(FigureBusy(medic.id), ManTreated(_man(game.state, seat, treat.man).unit, treat.man, how))
    surrender.look(game)
    treating.resolve("done" if how != "vain" else "failed")


@implements("AE-CAS-01", "AE-GEN-06")
def after_move(game: Game[Battle], id: GroupId) -> None:
    """Let a unit that has ended a move take the enemy's men down near it who have no friend near that it can see."""
    unit = game.state.units[id]
    for man in game.state.wounded if not unit.suppressed else ():
        state, at = game.state, game.state.figures[man.figure].at
        near = [friend for friend in state.friends(state.units[man.unit].owner) if not friend.hidden]
        friends = [figure.at for friend in near for figure in state.members(friend)]
        helped = any(within(one, at, FRIEND + ARM) for one in friends)
        if not helped and any(within(figure.at, at, TAKEN + ARM) for figure in state.members(unit)):
            game.emit(ManTaken(man.unit, man.figure, id))


def _men(find: Callable[[Battle, Seat, GroupId], list[FigureId]]) -> Blank[Battle]:
    """Return a field of the men down whom the picked unit may do something for."""

    def men(draft: Choosing, field: Pieces) -> Pieces:
        found = find(draft.state, draft.seat, draft.group("unit"))
        options = tuple([Option(names.piece_node(id), names.figure(draft.state, id)) for id in found])
        return replace(field, options=options, default=(options[0].id,))

    return pieces("man", men)


def _to(draft: Choosing, field: PickPoint) -> PickPoint:
    at, reach = draft.state.figures[draft.figure("man")].at, traits.allowance(draft.state, unit_of(draft)) // 2
    return replace(field, start=at, reach=reach, radius=traits.RADIUS, default=at)


TAKE_SET: Final = Verb(
    Label(
        "take_set", "t", "Take up the radio", "3 cm of the nearest figure's movement. It works from the next turn on."
    ),
    take_set,
    pick("unit", able(check_take, POWERS)),
    gesture=Gesture("unit", rank=6),
)
TAKE_GUN: Final = Verb(
    Label("take_gun", "s", "Take over the gun", "3 cm of the movement of the nearest figure without a gun."),
    take_gun,
    pick("unit", able(check_take_gun, POWERS)),
    gesture=Gesture("unit", rank=6),
)
CARRY: Final = Verb(
    Label("carry", "w", "Carry a wounded man", "The nearest figure takes him, at half movement, and does not fire."),
    carry,
    pick("unit", able(check_carriers, POWERS)),
    _men(check_carriers),
    point("to", _to),
    make=lambda draft: Carry(draft.group("unit"), draft.figure("man"), draft.point("to")),
    gesture=Gesture("unit", "to", "point", 6, "move"),
)
TREAT_MAN: Final = Verb(
    Label("treat", "u", "Treat a wounded man", "In place of the medic's fire: 6 back on his feet, 3 to 5 safe."),
    treat,
    pick("unit", able(check_medics, FIRE)),
    _men(check_medics),
    make=lambda draft: Treat(draft.group("unit"), draft.figure("man")),
    gesture=Gesture("unit", "man", "piece", 4, "aid", ends=True),
)
