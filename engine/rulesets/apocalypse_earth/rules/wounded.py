"""Wounded men: who carries, treats and takes them (AE-CAS-01)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from msgspec.structs import replace

from engine.core.rules.errors import is_legal
from engine.kit.blanks import pieces, point
from engine.kit.pools import DieTest
from engine.kit.rules import Game, Gesture, IllegalIntent, Intent, Label, Seat, Verb, forbid, implements
from engine.rulesets.apocalypse_earth.rules import activations, marching, officers, stands, traits, ways
from engine.rulesets.apocalypse_earth.rules.picking import Choosing, pick, unit_of
from engine.rulesets.apocalypse_earth.state import names, profiles
from engine.rulesets.apocalypse_earth.state.captive_events import CarriedAlong, ManTaken, ManTreated
from engine.rulesets.apocalypse_earth.state.lasting import March, Wounded
from engine.rulesets.apocalypse_earth.state.model import Point
from engine.rulesets.apocalypse_earth.state.state import FIRE, POWERS, TABLE, Battle, Figure, Unit
from engine.rulesets.apocalypse_earth.state.support_events import FigureBusy
from engine.rulesets.apocalypse_earth.state.turn_events import FiguresMoved
from engine.space.terrain.contact import Base
from engine.space.vectors.points import floor_sqrt, squared, towards, within
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import Option, PickPoint, Pieces

TREAT: Final = "ae.dice.treat"
UP: Final = DieTest(6)
AIDED: Final = DieTest(3)
ARM: Final = 2 * traits.RADIUS
"""Distance of the centres of two men in contact."""
TAKEN, FRIEND = 200, 600
"""An enemy so near takes a man down of whom no friend is so near."""


class Carry(Intent, frozen=True, tag="ae.carry"):
    """Way of a man down, in the arms of the nearest figure of a unit, to a place."""

    unit: GroupId
    man: FigureId
    to: Point


class Treat(Intent, frozen=True, tag="ae.treat"):
    """Treatment of a man down by a medic of a unit."""

    unit: GroupId
    man: FigureId


def _man(state: Battle, seat: int, figure: FigureId) -> Wounded:
    """Return a man down of a seat. Raises IllegalIntent."""
    found = next((one for one in state.wounded if one.figure == figure), None)
    if found is None or state.units[found.unit].owner != seat:
        raise IllegalIntent("carry/nobody")
    return found


def _left(state: Battle, unit: Unit, figure: Figure) -> int:
    """Return what a figure of a unit has left of its movement."""
    spent = state.active.spent.get(figure.id, 0) if state.active is not None and state.acts == unit.id else 0
    return traits.allowance(state, unit) - spent


def _beside(figure: Figure, body: Point) -> Point:
    """Return the place at which a figure is in contact with a body."""
    return towards(figure.at, body, max(0, floor_sqrt(squared(figure.at, body)) - ARM))


@implements("AE-CAS-01")
def check_carry(state: Battle, seat: int, carry: Carry) -> March:
    """Return the way of the nearest figure of a man's unit that goes to him, and with him at half movement. Raises
    IllegalIntent."""
    unit = activations.check_step(state, seat, carry.unit, POWERS)
    man = _man(state, seat, carry.man)
    forbid(unit.where != TABLE or man.unit != unit.id, "carry/nobody")
    body = state.figures[man.figure].at
    carrier = min(state.members(unit), key=lambda one: (one.shaken, squared(one.at, body)))
    start = _beside(carrier, body)
    cost = ways.cost(state, unit, (carrier.at, start)) + 2 * ways.cost(state, unit, (start, carry.to))
    forbid(carrier.shaken or cost > _left(state, unit, carrier), "carry/far", carry.to)
    free = stands.StandRoom(state, unit).is_free(carrier.at, (carrier.at, start, carry.to))
    crowded = any(squared(one.at, carry.to) < ARM * ARM for one in state.members(unit) if one.id != carrier.id)
    forbid(
        not free or crowded or stands.StandRoom(state, unit).fault(Base(carrier.id, carry.to, traits.RADIUS)),
        "carry/far",
    )
    others = {one.id: (one.at, one.at) for one in state.members(unit)}
    return March(unit.id, "carry", carrier.id, {**others, carrier.id: (carrier.at, start, carry.to)}, cost)


@implements("AE-CAS-01")
async def carry(game: Game[Battle], seat: Seat, carry: Carry) -> None:
    """Carry a man down, who is left where his carrier is stopped; the carrier does not fire."""
    march = check_carry(game.state, seat, carry)
    carrying = activations.declare(game, "carry", carry.unit)
    activations.begin(game, carry.unit)
    arrived = await marching.carry_out(game, march)
    activations.take(game, POWERS)
    if arrived and march.lead in game.state.figures:
        game.emit(FigureBusy(march.lead), CarriedAlong({carry.man: carry.to}))
    carrying.resolve("done" if arrived else "stopped")


@implements("AE-OPEN-26", "AE-CAS-01", "AE-SEAT-03")
def check_treat(state: Battle, seat: int, treat: Treat) -> tuple[Figure, Point]:
    """Return the medic of a unit who gets to a man down with what he has left of his movement, and his place. Raises
    IllegalIntent."""
    unit = activations.check_step(state, seat, treat.unit, FIRE)
    man = _man(state, seat, treat.man)
    forbid(unit.where != TABLE or unit.fired or man.aided, "treat/nobody")
    body, busy = state.figures[man.figure].at, state.active.busy if state.active is not None else ()
    medics = [state.figures[id] for id in traits.bearers(state, unit, profiles.MEDIC) if id not in busy]
    forbid(not medics, "treat/nobody")
    medic = min(medics, key=lambda one: squared(one.at, body))
    to = _beside(medic, body)
    free = stands.StandRoom(state, unit).is_free(medic.at, (medic.at, to))
    forbid(not free or ways.cost(state, unit, (medic.at, to)) > _left(state, unit, medic), "treat/far")
    return medic, to


@implements("AE-OPEN-26", "AE-CAS-01")
async def treat(game: Game[Battle], seat: Seat, treat: Treat) -> None:
    """Treat a man down in place of the medic's fire."""
    medic, to = check_treat(game.state, seat, treat)
    treating = activations.declare(game, "treat", treat.unit)
    activations.begin(game, treat.unit)
    activations.take(game, FIRE)
    if to != medic.at:
        game.emit(FiguresMoved(treat.unit, {medic.id: to}, "treat"))
    [face] = game.roll(AIDED.pool(1), TREAT, seat).faces
    how = "up" if UP.passed(face) else "aided" if AIDED.passed(face) else "vain"
    game.emit(FigureBusy(medic.id), ManTreated(_man(game.state, seat, treat.man).unit, treat.man, how))
    treating.resolve("done" if how != "vain" else "failed")


@implements("AE-CAS-01")
def after_move(game: Game[Battle], id: GroupId) -> None:
    """Let a unit that has ended a move take the enemy's men down near it who have no friend near."""
    for man in game.state.wounded:
        state = game.state
        unit, at = state.units[id], state.figures[man.figure].at
        if unit.where != TABLE or unit.suppressed or not state.hostile(state.units[man.unit].owner, unit.owner):
            continue
        friends = [figure for friend in state.friends(state.units[man.unit].owner) for figure in state.members(friend)]
        alone = not any(within(figure.at, at, FRIEND + ARM) for figure in friends)
        if alone and any(within(figure.at, at, TAKEN + ARM) for figure in state.members(unit)):
            game.emit(ManTaken(man.unit, man.figure, id))


def _men(draft: Choosing, unit: Unit, make: type[Carry] | type[Treat]) -> Iterator[FigureId]:
    """Yield the men down whom a unit may carry, or treat."""
    for man in draft.state.wounded:
        if make is Treat:
            may = is_legal(partial(check_treat, draft.state, draft.seat, Treat(unit.id, man.figure)))
        else:
            may = man.unit == unit.id and _can_fetch(draft.state, unit, draft.state.figures[man.figure].at)
        if may:
            yield man.figure


def _can_fetch(state: Battle, unit: Unit, at: Point) -> bool:
    return any(floor_sqrt(squared(one.at, at)) - ARM < _left(state, unit, one) for one in state.members(unit))


def _units(draft: Choosing, make: type[Carry] | type[Treat], step: int) -> list[Unit]:
    if not draft.state.wounded:
        return []
    able = [u for u in activations.acting(draft.state, draft.seat, step) if u.where == TABLE and not u.suppressed]
    return [unit for unit in able if officers.is_free(draft.state, unit) and any(_men(draft, unit, make))]


def _picked(draft: Choosing, field: Pieces, make: type[Carry] | type[Treat]) -> Pieces:
    found = [*_men(draft, unit_of(draft), make)]
    options = tuple([Option(names.piece_node(id), names.figure(draft.state, id)) for id in found])
    return replace(field, options=options, default=(options[0].id,) if options else ())


def _to(draft: Choosing, field: PickPoint) -> PickPoint:
    at = draft.state.figures[draft.figure("man")].at
    return replace(
        field, start=at, reach=traits.allowance(draft.state, unit_of(draft)) // 2, radius=traits.RADIUS, default=at
    )


CARRY: Final = Verb(
    Label("carry", "w", "Carry a wounded man", "The nearest figure takes him, at half movement, and does not fire."),
    carry,
    pick("unit", lambda draft: _units(draft, Carry, POWERS)),
    pieces("man", lambda draft, field: _picked(draft, field, Carry)),
    point("to", _to),
    make=lambda draft: Carry(draft.group("unit"), draft.figure("man"), draft.point("to")),
    gesture=Gesture("unit", "to", "point", 6, "move"),
)
TREAT_MAN: Final = Verb(
    Label("treat", "u", "Treat a wounded man", "In place of the medic's fire: 6 back on his feet, 3 to 5 safe."),
    treat,
    pick("unit", lambda draft: _units(draft, Treat, FIRE)),
    pieces("man", lambda draft, field: _picked(draft, field, Treat)),
    make=lambda draft: Treat(draft.group("unit"), draft.figure("man")),
    gesture=Gesture("unit", "man", "piece", 4, "aid", ends=True),
)
