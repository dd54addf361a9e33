"""Ways of a charge into contact, of its lead and of all others (AE-ASLT-01, AE-BLD-07)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from engine.kit.board.board import BOARD, kept
from engine.kit.rules import IllegalIntent, forbid, implements
from engine.rulesets.apocalypse_earth.rules.moves import planning
from engine.rulesets.apocalypse_earth.rules.moves.planning import Planner
from engine.rulesets.apocalypse_earth.rules.table import sighting, stands, traits
from engine.rulesets.apocalypse_earth.state import names
from engine.rulesets.apocalypse_earth.state.lasting import March
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit
from engine.space.terrain.contact import TOUCH, Base, contact_point
from engine.space.terrain.gaps import Shape, shape_gap
from engine.space.vectors.headings import ahead
from engine.space.vectors.hulls import edges_of
from engine.space.vectors.outlines import nearest_on_edges
from engine.space.vectors.points import Point, squared, towards, within
from protocol.ids import NO_FIGURE, FigureId, GroupId

BONUS: Final = 600
"""AE-ASLT-01: a charge goes so much farther than the rating."""
CHARGE: Final = "charge"
FOES: Final = 6
"""Figures of the target, the nearest ones, that a charger's way to is looked for."""
AROUND: Final = 30
"""Degrees between the places in contact around one of them."""
LEADS: Final = 3
"""Figures that may lead a charge where nobody draws their way: the leader, and those nearest to the target."""
APART: Final = 2
"""Hundredths that are left between bases in contact, so that they do not overlap by rounding."""


def limit(state: Battle, unit: Unit) -> int:
    """Return how far a unit charges."""
    return traits.allowance(state, unit) + BONUS


def shapes(state: Battle, target: Unit) -> list[Shape]:
    """Return what a charger must touch: bases, or the outline of the building that figures are in."""
    return [one.seat for one in sighting.lookouts_of(state, target)]


def touches(at: Point, foes: Sequence[Shape]) -> bool:
    """Tell if a figure at a place is in contact."""
    own = Base(NO_FIGURE, at, traits.RADIUS)
    return any(shape_gap(own, foe) < TOUCH for foe in foes)


def goals(start: Point, foes: Sequence[Shape]) -> Iterator[Point]:
    """Yield places in contact with the nearest of some shapes, for a figure that comes from a place: the nearest of
    each first, then others around them."""
    own = Base(NO_FIGURE, start, traits.RADIUS)
    near = sorted(foes, key=lambda foe: shape_gap(own, foe))[:FOES]
    for foe in near:
        yield (
            contact_point(own, foe) if isinstance(foe, Base) else _beside(start, nearest_on_edges(start, edges_of(foe)))
        )
    for foe in near:
        if isinstance(foe, Base):
            around = [ahead(foe.at, turn, foe.radius + traits.RADIUS + APART) for turn in range(0, 360, AROUND)]
            yield from sorted(around, key=lambda at: squared(at, start))
        else:
            yield from [_beside(start, ((a[0] + b[0]) // 2, (a[1] + b[1]) // 2)) for a, b in edges_of(foe)]


def _beside(start: Point, edge: Point) -> Point:
    """Return a place in contact with an outline at a point of its edge."""
    return towards(edge, start, traits.RADIUS + APART) if edge != start else start


@kept(BOARD, "active")
@implements("AE-ASLT-01")
def approach(state: Battle, id: GroupId, target_id: GroupId, by: FigureId = NO_FIGURE) -> March:
    """Return the way of a unit into contact that is drawn by the rules: that of its leader, or of the figure that comes
    there; `by`: of this one. Raises IllegalIntent where no figure reaches."""
    unit, target = state.units[id], state.units[target_id]
    most, foes = limit(state, unit), shapes(state, target)
    node = names.group_node(target.id)
    forbid(sighting.distance(state, unit, target) > most, "charge/too-far", node)
    fit = [figure for figure in state.members(unit) if not figure.shaken]
    near = sorted(fit[1:], key=lambda one: min(shape_gap(traits.shape(state, one), foe) for foe in foes))
    for lead in [state.figures[by]] if by in unit.figures else [*fit[:1], *near][:LEADS]:
        planner = Planner(state, unit, lead.id, (lead.at,), most, (target.id,))
        for goal in goals(lead.at, foes):
            path = planner.reached(lead.id, goal)
            if path is not None and not planner.fault_at(lead.id, goal):
                return planned(state, unit, target, lead.id, path[1:])
    raise IllegalIntent("charge/out-of-reach").showing(at=node)


@implements("AE-ASLT-01")
def planned(
    state: Battle,
    unit: Unit,
    target: Unit,
    lead: FigureId,
    way: Sequence[Point],
    places: Mapping[FigureId, Point] | None = None,
) -> March:
    """Return the charge of a unit whose lead goes over these corners: the others to chosen places, or into contact
    where they come there in coherency, or else as near as they come. Raises IllegalIntent unless any comes into
    contact."""
    most, foes = limit(state, unit), shapes(state, target)
    march = planning.plan(state, unit, lead, way, most, places, target.id, CHARGE, partial(_in_contact, foes))
    met = any(touches(path[-1], foes) for path in march.ways.values())
    forbid(not met, "charge/no-contact", names.group_node(target.id))
    stands.check_chain(state, unit, {id: path[-1] for id, path in march.ways.items()})
    return march


def _in_contact(foes: Sequence[Shape], planner: Planner, figure: FigureId) -> Iterator[Point]:
    """Yield the places in contact for a figure that are near enough to those who stand."""
    link = stands.link(planner.state, planner.unit) + 2 * traits.RADIUS
    for at in goals(planner.state.figures[figure].at, foes):
        if any(within(at, one, link) for one in planner.stood.values()):
            yield at
