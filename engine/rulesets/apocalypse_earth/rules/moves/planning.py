"""Plans of moves: the way of each figure of a unit, from the way of its lead, and flight into cover (AE-MOVE-01,
AE-MOVE-02, AE-QA-01)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain, pairwise
from typing import Final

from engine.kit.rules import Game, IllegalIntent, forbid, implements
from engine.rulesets.apocalypse_earth.rules.table import aims, ground, meetings, stands, traits, ways
from engine.rulesets.apocalypse_earth.state import names
from engine.rulesets.apocalypse_earth.state.lasting import March
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit
from engine.space.terrain.contact import Base
from engine.space.vectors.lattice import nearest_place, places_near
from engine.space.vectors.outlines import nearest_on_edges
from engine.space.vectors.points import Point, squared, towards
from protocol.ids import NO_FIGURE, NO_GROUP, FigureId, GroupId

CORNERS: Final = 4
"""AE-MOVE-01: a lead's way has three corners and its end."""
ASIDE: Final = 800
"""Places of others are looked for so far from where they would stand."""
STEP: Final = 50
TENTHS: Final = 10


class Planner:
    """The ways of a unit's figures, each at most `limit`, for one way of its lead."""

    def __init__(
        self, state: Battle, unit: Unit, lead: FigureId, corners: Sequence[Point], limit: int, contact: Collection[str]
    ) -> None:
        self.state = state
        self.unit = unit
        self.lead = lead
        self.limit = limit
        self.way = ways.routed(state, (state.figures[lead].at, *corners))
        self.room = stands.StandRoom(state, unit, contact)
        self.stood: dict[FigureId, Point] = {}

    def path(self, figure: FigureId, end: Point) -> tuple[Point, ...] | None:
        """Return the way of a figure to its end: straight, or by the lead's corners; None where both are barred."""
        start = self.state.figures[figure].at
        if start == end:
            return start, end
        bends = self.way[1:-1]
        tried = ((start, end), (start, *bends, end)) if bends else ((start, end),)
        ways_on = (ways.routed(self.state, path) for path in tried)
        return next((path for path in ways_on if self.room.is_free(start, path)), None)

    def cost(self, path: Sequence[Point]) -> int:
        """Return what a path costs."""
        return ways.cost(self.state, self.unit, path)

    def reached(self, figure: FigureId, end: Point) -> tuple[Point, ...] | None:
        """Return the way of a figure to its end; None where it does not come so far."""
        if not self.may_reach(self.state.figures[figure].at)(end):
            return None
        path = self.path(figure, end)
        return path if path is not None and self.cost(path) <= self.limit else None

    def may_reach(self, start: Point) -> Callable[[Point], bool]:
        """Return a test of the ends of ways from a place: none is too far off, as the crow flies. In a building, whose
        floor costs nothing, all pass."""
        if ways.house_of(self.state, start) is not None:
            return lambda end: True
        most = self.limit * self.limit
        return lambda end: squared(start, end) <= most

    def fault_at(self, figure: FigureId, end: Point) -> str:
        """Return the code of the reason why a figure may not end there; "" where it may."""
        fault = self.room.fault(Base(figure, end, traits.RADIUS)) if end != self.state.figures[figure].at else ""
        others = [at for id, at in self.stood.items() if id != figure]
        if fault or not stands.apart(end, others):
            return fault or "overlap"
        return "full" if ways.overfull(self.state, self.room.room, (end, *others)) else ""

    @implements("AE-MOVE-01")
    def place(self, figure: FigureId, wish: Point, first: Iterable[Point] = ()) -> tuple[Point, ...]:
        """Return the way of a figure to one of the `first` places, or to the free one nearest to a wish that it
        reaches, or as far towards it as it comes; its own place where it comes nowhere."""
        start = self.state.figures[figure].at
        part_way = (towards(start, wish, self.limit * part // TENTHS) for part in range(TENTHS, 0, -1))
        ends = chain(first, places_near(wish, STEP, ASIDE), part_way, places_near(start, STEP, ASIDE))
        # most places of a long search are too far off, which is told soonest
        for end in filter(self.may_reach(start), ends):
            if not self.fault_at(figure, end) and (path := self.reached(figure, end)) is not None:
                return path
        return start, start


Seek = Callable[[Planner, FigureId], Iterable[Point]]
"""A function that yields the places that a figure of a planned march would rather have, the best first."""


@implements("AE-COH-03")
def able_to_go(state: Battle, unit: Unit) -> list[FigureId]:
    """Return the figures of a unit that may move: those that are not suppressed on their own."""
    return [figure.id for figure in state.members(unit) if not figure.shaken]


def lead_of(state: Battle, unit: Unit) -> FigureId:
    """Return the figure that leads a unit's moves where nobody names one: the first that may move; the leader where
    none may."""
    return next(iter(able_to_go(state, unit)), unit.leader)


@implements("AE-COH-03")
def _check_free(state: Battle, figure: FigureId) -> None:
    """Check that a figure is not suppressed on its own, which stays where it is. Raises IllegalIntent."""
    one = state.figures[figure]
    if one.shaken:
        raise IllegalIntent("place/shaken", figure=names.figure(state, figure)).showing(at=one.at)


@implements("AE-MOVE-01", "AE-MOVE-02")
def plan(
    state: Battle,
    unit: Unit,
    lead: FigureId,
    corners: Sequence[Point],
    limit: int,
    places: Mapping[FigureId, Point] | None = None,
    target: GroupId = NO_GROUP,
    how: str = "move",
    seek: Seek = lambda planner, figure: (),
) -> March:
    """Return the march of a unit whose lead goes over these corners, the others to `places`, or else to those that
    they `seek`, or the nearest free ones that keep their places relative to it. Figures may touch the `target`. Raises
    IllegalIntent."""
    forbid(lead not in unit.figures, "move/lead")
    _check_free(state, lead)
    forbid(not 1 <= len(corners) <= CORNERS, "move/corners")
    planner = Planner(state, unit, lead, corners, limit, (target,) if target else ())
    way = planner.way
    for a, b in pairwise(way):
        fault = planner.room.barred(a, b, way[0]) if a != b else ""
        if fault:
            raise IllegalIntent(f"move/{fault}").showing(at=b)
    spent = planner.cost(way)
    if spent > limit:
        raise IllegalIntent("move/too-far", cost=-(-spent // 100), most=limit // 100).showing(at=way[-1])
    fault = planner.fault_at(lead, way[-1])
    if fault:
        raise IllegalIntent(f"place/{fault}", figure=names.figure(state, lead)).showing(at=way[-1])
    planner.stood[lead] = way[-1]
    found = _chosen(planner, places) if places else _by_default(planner, seek)
    return March(unit.id, how, lead, {lead: way, **found}, limit, target)


def _chosen(planner: Planner, places: Mapping[FigureId, Point]) -> dict[FigureId, tuple[Point, ...]]:
    """Return the ways to chosen places. Raises IllegalIntent."""
    others = {id: at for id, at in places.items() if id != planner.lead}
    forbid({*others, planner.lead} != set(planner.unit.figures), "place/figures")
    planner.stood |= others
    found: dict[FigureId, tuple[Point, ...]] = {}
    for id, end in others.items():
        if end != planner.state.figures[id].at:
            _check_free(planner.state, id)
        fault = planner.fault_at(id, end)
        path = planner.reached(id, end) if not fault else None
        if path is None:
            code = f"place/{fault or 'unreached'}"
            raise IllegalIntent(code, figure=names.figure(planner.state, id)).showing(at=end)
        found[id] = path
    return found


def _by_default(planner: Planner, seek: Seek) -> dict[FigureId, tuple[Point, ...]]:
    """Return the ways of all others, those nearest to the lead's end first, so that they make room; figures suppressed
    on their own stay."""
    figures, (x, y), (ex, ey) = planner.state.figures, planner.way[0], planner.way[-1]
    others = [id for id in planner.unit.figures if id != planner.lead]
    found: dict[FigureId, tuple[Point, ...]] = {}
    for id in sorted(others, key=lambda id: (not figures[id].shaken, squared(figures[id].at, (ex, ey)))):
        at = figures[id].at
        wish = (at[0] + ex - x, at[1] + ey - y)
        found[id] = (at, at) if figures[id].shaken else planner.place(id, wish, seek(planner, id))
        planner.stood[id] = found[id][-1]
    return {id: found[id] for id in others}


@implements("AE-QA-01")
def into_cover(game: Game[Battle], march: March, spent: Mapping[FigureId, int], by: GroupId) -> None:
    """Move a unit that has been suppressed by fire of a unit on to the nearest cover in reach of the rest of its move,
    not nearer to the firer, or as far towards the nearest as it comes; it stays where there is none."""
    state, unit = game.state, game.state.units[march.unit]
    left = march.limit - max(spent.values(), default=march.limit)
    firers = [figure.at for figure in state.members(state.units[by])]
    if left <= 0 or not firers:
        return
    lead = march.lead if march.lead in unit.figures else lead_of(state, unit)
    start = state.figures[lead].at
    threat = min(firers, key=lambda at: squared(at, start))
    goal = _cover_near(state, unit, lead, threat, left)
    if goal is None and (wish := _towards_cover(state, start, left)) is not None:
        goal = Planner(state, unit, lead, (start,), left, ()).place(lead, wish)[-1]
    if goal is None:
        return
    with suppress(IllegalIntent):
        flight = plan(state, unit, lead, (goal,), left)
        meetings.move(game, unit.id, flight.ways, "cover")


def _cover_near(state: Battle, unit: Unit, lead: FigureId, threat: Point, left: int) -> Point | None:
    """Return the nearest place in cover from an enemy that the lead can reach, not nearer to that enemy."""
    start, eye = state.figures[lead].at, Base(NO_FIGURE, threat, 1)
    planner = Planner(state, unit, lead, (start,), left, ())

    def is_cover(at: Point) -> bool:
        if squared(at, threat) < squared(start, threat) or planner.fault_at(lead, at):
            return False
        return aims.at_place(state, eye, at) != "open" and planner.reached(lead, at) is not None

    return nearest_place(start, is_cover, STEP, left)


def _towards_cover(state: Battle, start: Point, left: int) -> Point | None:
    """Return the place as far towards the nearest ground that gives cover, or door of a building, as a figure comes;
    None without any."""
    table, kinds = ground.scenery_of(state), ground.layout(state).kinds
    pieces = [(area.id, area.edges) for area in table.areas] + [(line.id, line.edges) for line in table.barriers]
    covering = [edges for id, edges in pieces if kinds[id].cover_throughout != "open" and not kinds[id].building]
    nearest = [nearest_on_edges(start, edges) for edges in covering]
    nearest += [door for house in ground.buildings(state) for door in ground.doors_of(house)]
    return towards(start, min(nearest, key=lambda at: squared(at, start)), left) if nearest else None
