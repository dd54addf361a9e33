"""Moves of infantry (AE-MOVE-01, AE-MOVE-02)."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from engine.kit.blanks import Filled, places, way
from engine.kit.rules import Game, Gesture, Label, Seat, Verb, forbid, implements
from engine.kit.units import UnitIntent
from engine.rulesets.apocalypse_earth.rules.moves import aftermath, marching, planning
from engine.rulesets.apocalypse_earth.rules.table import ground, stands, traits, ways
from engine.rulesets.apocalypse_earth.rules.turns import activations, coherency
from engine.rulesets.apocalypse_earth.rules.turns.picking import Choosing, others_at, pick, unit_of
from engine.rulesets.apocalypse_earth.state import names
from engine.rulesets.apocalypse_earth.state.lasting import March
from engine.rulesets.apocalypse_earth.state.state import MOVE as STEP, OVER, POWERS, TABLE, Battle, Unit
from engine.space.movement.reach import DIRECTIONS, along
from engine.space.vectors.bisection import first_met
from engine.space.vectors.outlines import Outline
from engine.space.vectors.points import Point
from protocol.ids import NO_FIGURE, FigureId
from protocol.scene.fields import Band, Option, Pieces, Placement, Way
from protocol.text import Text

TENTH: Final = 10


class Move(UnitIntent, frozen=True, tag="ae.move"):
    """Move of a unit: the way of its lead (without one, the first figure that may be it), and the places of the
    others."""

    way: tuple[Point, ...]
    lead: FigureId = NO_FIGURE
    places: dict[FigureId, Point] = msgspec.field(default_factory=dict)


@implements("AE-MOVE-01", "AE-COH-03")
def check_move(state: Battle, seat: int, move: Move) -> March:
    """Return the march that a move comes to. Raises IllegalIntent."""
    unit = activations.check_step(state, seat, move.unit, STEP)
    forbid(unit.where != TABLE or traits.drives(state, unit), "move/on-foot")
    return checked(state, unit, move)


def checked(state: Battle, unit: Unit, move: Move) -> March:
    """Return the march of a unit that may move. Raises IllegalIntent."""
    lead = move.lead or planning.lead_of(state, unit)
    march = planning.plan(state, unit, lead, move.way, traits.allowance(state, unit), move.places)
    coherency.check_move(state, unit, {id: path[-1] for id, path in march.ways.items()})
    return march


@implements("AE-MOVE-01", "AE-TURN-02")
async def move(game: Game[Battle], seat: Seat, move: Move) -> None:
    """Move with a unit, as far as the enemy lets it; afterwards it may fire, unless it is suppressed."""
    march = check_move(game.state, seat, move)
    moving = activations.declare(game, "move", move.unit)
    activations.begin(game, move.unit)
    arrived = await marching.carry_out(game, march)
    coherency.check_figures(game, move.unit)
    aftermath.after_move(game, move.unit)
    activations.take(game, OVER if game.state.units[move.unit].suppressed else POWERS)
    moving.resolve("done" if arrived else "stopped")


def walkers(draft: Choosing) -> list[Unit]:
    """Return the infantry units that may move now."""
    state = draft.state
    here = [unit for unit in activations.acting(state, draft.seat, STEP) if unit.where == TABLE]
    on_foot = [unit for unit in here if not traits.drives(state, unit) and coherency.is_free(state, unit)]
    return [unit for unit in on_foot if planning.able_to_go(state, unit)]


def reach(state: Battle, unit: Unit, lead: FigureId, limit: int) -> tuple[Outline, ...]:
    """Return the outlines in which a lead can end a straight way, out of a building by any door, and those of buildings
    that it can enter."""
    found: tuple[Outline, ...] = state.board.get(("reach", lead, limit), (unit,), _reach, state, unit, lead, limit)
    return found


def _reach(state: Battle, unit: Unit, lead: FigureId, limit: int) -> tuple[Outline, ...]:
    start, room = state.figures[lead].at, stands.StandRoom(state, unit)

    def goes(a: Point, b: Point, most: int) -> bool:
        return not room.barred(a, b, a) and ways.cost(state, unit, (a, b)) <= most

    def around(at: Point, most: int) -> Outline:
        tenths = -(-most // TENTH) + 1
        reaches = [
            first_met(lambda n: n >= tenths or not goes(at, along(at, to, n * TENTH), most), tenths) - 1  # noqa: B023 - called at once
            for to in DIRECTIONS[::2]
        ]
        ends = [along(at, to, max(0, n) * TENTH) for to, n in zip(DIRECTIONS[::2], reaches, strict=True)]
        return tuple([end for end, before in zip(ends, [ends[-1], *ends], strict=False) if end != before]) or (at,)

    house = ground.house_at(state, start)
    if house is not None:
        return (house.outline, *[around(door, limit - ways.TOLL) for door in ground.doors_of(house)])
    open_to = [one for one in ground.buildings(state) if any(goes(start, door, limit) for door in ground.doors_of(one))]
    return (around(start, limit), *[one.outline for one in open_to])


def lead_of(draft: Choosing) -> FigureId:
    """Return the lead that is picked, without one the first figure that may be it. Raises IllegalIntent."""
    unit = unit_of(draft)
    lead = draft.figure("lead") if draft.has("lead") else planning.lead_of(draft.state, unit)
    forbid(lead not in unit.figures, "move/lead")
    return lead


def way_field(draft: Choosing, field: Way, limit: int) -> Way:
    """Return a field of the way of a unit's lead, with its reach."""
    state, unit, lead = draft.state, unit_of(draft), lead_of(draft)
    forbid(unit.where != TABLE, "act/not-yours")
    start = state.figures[lead].at
    band = Band(field.name, limit, reach(state, unit, lead, limit))
    return replace(field, start=start, default=start, bands=(band,), radius=traits.RADIUS)


def _way(draft: Choosing, field: Way) -> Way:
    return way_field(draft, field, traits.allowance(draft.state, unit_of(draft)))


def lead_field(draft: Choosing, field: Pieces) -> Pieces:
    """Return a field of the figure whose way is drawn: of those that are not suppressed on their own the first by
    default. Raises IllegalIntent."""
    free = planning.able_to_go(draft.state, unit_of(draft))
    forbid(not free, "move/lead")
    options = tuple([Option(names.piece_node(id), names.figure(draft.state, id)) for id in free])
    return replace(field, options=options, default=(options[0].id,))


def _places(draft: Choosing, field: Placement) -> Placement:
    unit, lead = unit_of(draft), lead_of(draft)
    march = checked(draft.state, unit, Move(unit.id, draft.way("way"), lead))
    return others_at(field, lead, march.way[-1], {id: path[-1] for id, path in march.ways.items()})


def move_of(draft: Choosing) -> Move:
    """Return the move that is filled in."""
    lead = draft.figure("lead") if draft.has("lead") else NO_FIGURE
    return Move(draft.group("unit"), draft.way("way"), lead, draft.places("places"))


FIELDS: Final = (
    Filled(Pieces("lead", Text(""), lazy=True, auto=True), how=lead_field),
    way("way", _way, most=planning.CORNERS),
    places("places", _places),
)
MOVE: Final = Verb(
    Label("move", "m", "Move", "Up to its rating. Enemies on overwatch may fire."),
    move,
    pick("unit", walkers),
    *FIELDS,
    make=move_of,
    gesture=Gesture("unit", "way", "point", mark="move"),
)
