"""Hold, walk and run: the way of the leader, and the formation around them (OP-ACT-03, OP-MOVE)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final

import msgspec
from msgspec.structs import replace

from engine.core.rules.node_ids import feature_node
from engine.core.rules.steps import Steps
from engine.kit.blanks import places, point
from engine.kit.board.board import BOARD, kept_steps
from engine.kit.board.lead_reach import farthest, region
from engine.kit.board.lead_ways import LeadWays
from engine.kit.board.place_fields import bend
from engine.kit.rules import Game, Gesture, IllegalIntent, Label, Seat, UnitIntent, Verb, forbid, implements
from engine.rulesets.one_page.rules import activations, casualties, facings, formations, ground, traits
from engine.rulesets.one_page.rules.formations import FormationRoom
from engine.rulesets.one_page.rules.picking import Choosing, pick, settled, unit_of
from engine.rulesets.one_page.state import names, profiles as rules
from engine.rulesets.one_page.state.events import UnitMoved
from engine.rulesets.one_page.state.state import Battle, Unit
from engine.space.terrain.features import PreparedArea
from engine.space.vectors.headings import ANGLES
from engine.space.vectors.outlines import Outline
from engine.space.vectors.points import Box, Point, box_around, box_of
from protocol.ids import FigureId, NodeId
from protocol.scene.fields import PickPoint
from protocol.scene.nodes import NO_NODE

REACH: Final = {"walk": 600, "run": 1200, "assault": 1200, "disembark": 600}
DRIVES: Final = {"walk": 1200, "run": 1800, "assault": 1800}
MOST_CORNERS: Final = 4


class Hold(UnitIntent, frozen=True, tag="op.hold"):
    """Hold of a unit; a Vehicle may turn."""

    facing: int = -1


class Move(UnitIntent, frozen=True, tag="op.move"):
    """Walk or run of a unit, by way of `via` if given."""

    run: bool
    to: Point
    via: tuple[Point, ...] = ()
    places: dict[FigureId, Point] = msgspec.field(default_factory=dict)


@implements("OP-ACT-03", "OP-SR-03", "OP-VEH-02")
def allowance(state: Battle, unit: Unit, action: str) -> int:
    """Return how far a unit may go with an action, in hundredths of an inch."""
    usual = (DRIVES if traits.is_vehicle(state, unit) else REACH)[action]
    faster = traits.has(state, unit, rules.FAST) + (traits.HASTE in unit.effects)
    return usual + faster * REACH[action] // 2


@implements("OP-VEH-05")
def check_free(unit: Unit) -> None:
    """Refuse moves and turns of a Tracked machine. Raises IllegalIntent."""
    forbid(unit.tracked, "move/tracked")


@implements("OP-MOVE-01", "OP-MOVE-03", "OP-SR-06")
def check_way(
    state: Battle,
    unit: Unit,
    way: Sequence[Point],
    limit: int,
    contact: Collection[str] = (),
    *,
    dry: bool = False,
    left: PreparedArea | None = None,
) -> None:
    """Check the leader's way: within the limit, past nothing closed, not too near to others; a flying unit passes over
    everything. `dry`: not into or out of cover, but out of the piece `left`, whose edge the way is measured from.
    Raises IllegalIntent."""
    forbid(len(way) > MOST_CORNERS, "move/corners")
    spent = sum(ground.cost(state, unit, a, b) for a, b in pairwise(way))
    spent -= 0 if left is None else ground.cost_inside(state, unit, way, left)
    if spent > limit:
        raise IllegalIntent("move/too-far", cost=-(-spent // 100), inches=limit // 100).showing(at=way[-1])
    obstacles = obstacles_of(state, unit, box_of(way), contact)
    for a, b in pairwise(way):
        area = obstacles.closed_on(a, b)
        if area is not None:
            closed = str(area.id)
            raise IllegalIntent("move/closed", feature=names.feature(state, closed)).showing(feature_node(closed), b)
        if dry and not obstacles.flies:
            _check_dry(state, a, b, left)
        met = obstacles.too_near(a, b)
        if met is not None:
            raise IllegalIntent("move/too-near").showing(_unit_at(state, met), b)
    fault = FormationRoom(state, unit, way[-1], contact).fault(way[-1], obstacles.radius)
    if fault:
        raise IllegalIntent(f"place/{fault}", model=names.model(state, unit.leader)).showing(at=way[-1])


@implements("OP-MOVE-01", "OP-MOVE-03")
def obstacles_of(state: Battle, unit: Unit, box: Box, contact: Collection[str] = ()) -> LeadWays:
    """Return the obstacles for the leader of a unit on straight ways inside a box; a flying unit has none."""
    others, closed = formations.kept_clear(state, unit, contact), formations.closed(state, unit)
    return LeadWays(
        box, traits.radius(state, state.leader(unit)), others, closed, flies=traits.has(state, unit, rules.FLYING)
    )


@implements("OP-TERR-01")
def _check_dry(state: Battle, a: Point, b: Point, left: PreparedArea | None) -> None:
    areas = [area for area in ground.scenery_of(state).areas_on(a, b) if area is not left]
    cover = next((area for area in areas if ground.terrain(state, area.id).cover), None)
    if cover is not None:
        raise IllegalIntent("move/cover").showing(feature_node(str(cover.id)), b)


def _unit_at(state: Battle, at: Point) -> NodeId:
    """Return the node of the unit that has the middle of a base at a place."""
    found = (unit for unit in state.standing() if any(base.at == at for base in traits.bases(state, unit)))
    return next((names.group_node(unit.id) for unit in found), NO_NODE)


@implements("OP-ACT-03", "OP-MOVE-01")
def check_move(state: Battle, seat: int, move: Move) -> tuple[tuple[Point, ...], dict[FigureId, Point]]:
    """Return the way of the leader and the places of all models. Raises IllegalIntent."""
    unit = activations.check_action(state, seat, move.unit)
    check_free(unit)
    forbid(traits.is_vehicle(state, unit), "move/drives")
    way = (state.leader(unit).at, *move.via, move.to)
    check_way(state, unit, way, allowance(state, unit, "run" if move.run else "walk"))
    return way, formations.settled(state, unit, move.to, move.places)


@implements("OP-ACT-03", "OP-MOVE-02")
async def move(game: Game[Battle], seat: Seat, move: Move) -> None:
    """Walk or run with a unit; after a walk it may shoot."""
    way, places = check_move(game.state, seat, move)
    action = "run" if move.run else "walk"
    moving = activations.begin(game, move.unit, action)
    before = game.state
    game.emit(UnitMoved(move.unit, action, way, places, facings.along(before, before.units[move.unit], way)))
    await casualties.cross_mines(game, before, move.unit, way)
    moving.resolve("done")


@implements("OP-VEH-03")
async def hold(game: Game[Battle], seat: Seat, hold: Hold) -> None:
    """Hold with a unit; a Vehicle may turn by up to 180 degrees."""
    unit = activations.check_action(game.state, seat, hold.unit)
    if hold.facing >= 0:
        forbid(not traits.is_vehicle(game.state, unit) or hold.facing not in ANGLES, "move/turn")
        check_free(unit)
    holding = activations.begin(game, unit.id, "hold")
    if hold.facing >= 0:
        at = game.state.leader(unit).at
        game.emit(UnitMoved(unit.id, "turn", (at, at), {unit.leader: at}, hold.facing))
    holding.resolve("done")


@kept_steps(BOARD)
def reach_of(state: Battle, unit: Unit, limit: int) -> Steps[Outline]:
    """Work out the outline in which the leader of a unit can end a straight way that costs so much at most."""
    at = state.leader(unit).at
    room = FormationRoom(state, unit, at, reach=limit)
    ways = obstacles_of(state, unit, box_around(at, limit))
    return region(at, (yield from farthest(room, ways, ground.slowing(state, unit), limit)))


def _to(draft: Choosing, field: PickPoint) -> Steps[PickPoint]:
    """Work out a field of the places that the leader can reach."""
    state, unit = draft.state, unit_of(draft)
    leader, limit = state.leader(unit), allowance(state, unit, draft.choice)
    ends = yield from reach_of(state, unit, limit)
    size = traits.radius(state, leader)
    return replace(field, start=leader.at, reach=limit, regions=(ends,), radius=size, default=leader.at)


def _via(draft: Choosing, field: PickPoint) -> PickPoint:
    state, unit = draft.state, unit_of(draft)
    return bend(field, state.leader(unit).at, draft.point("to"), allowance(state, unit, draft.choice))


def _move(draft: Choosing) -> Move:
    to, via = draft.point("to"), draft.points("via")
    return Move(draft.group("unit"), draft.choice == "run", to, via, draft.places("places"))


HOLD: Final = Verb(
    Label("hold", "h", "Hold", "Stand still, then shoot. Relentless units fire every weapon."),
    hold,
    pick("unit", activations.standing),
    gesture=Gesture("unit", rank=3),
)
WALK: Final = Verb(
    Label("walk", "w", "Walk", "Up to 6 inches, then shoot."),
    move,
    pick("unit", activations.walkers),
    point("to", _to),
    point("via", _via, auto=True),
    places("places", settled),
    make=_move,
    gesture=Gesture("unit", "to", "point", mark="move"),
)
RUN: Final = WALK.named(Label("run", "r", "Run", "Up to 12 inches. No shooting."), rank=1)
