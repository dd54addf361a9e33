"""Flight into cover of a unit that is suppressed on its own move (AE-QA-01)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.kit.rules import Game, IllegalIntent, implements
from engine.rulesets.apocalypse_earth.rules import cover, ground, planning
from engine.rulesets.apocalypse_earth.state.lasting import March
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit
from engine.rulesets.apocalypse_earth.state.turn_events import FiguresMoved
from engine.space.terrain.contact import Base
from engine.space.vectors.hulls import edges_of
from engine.space.vectors.lattice import nearest_place
from engine.space.vectors.outlines import nearest_on_edges
from engine.space.vectors.points import Point, squared, towards
from protocol.ids import NO_FIGURE, FigureId

STEP: Final = 50


@implements("AE-QA-01")
def into_cover(game: Game[Battle], march: March, spent: Mapping[FigureId, int]) -> None:
    """Move a suppressed unit on to the nearest cover in reach of the rest of its move, not nearer to the enemy, or as
    far towards the nearest as it comes; it stays where there is none."""
    state = game.state
    unit = state.units[march.unit]
    left = march.limit - max(spent.values(), default=march.limit)
    enemies = [figure.at for enemy in state.enemies(unit.owner) for figure in state.members(enemy)]
    if left <= 0 or not enemies:
        return
    lead = unit.leader if march.lead not in unit.figures else march.lead
    start = state.figures[lead].at
    threat = min(enemies, key=lambda at: squared(at, start))
    goal = _cover_near(state, unit, lead, threat, left) or _towards_cover(state, start, left)
    if goal is None:
        return
    try:
        flight = planning.plan(state, unit, lead, (goal,), left)
    except IllegalIntent:
        return
    places = {id: way[-1] for id, way in flight.ways.items() if way[-1] != state.figures[id].at}
    if places:
        game.emit(FiguresMoved(unit.id, places, "cover"))


def _cover_near(state: Battle, unit: Unit, lead: FigureId, threat: Point, left: int) -> Point | None:
    """Return the nearest place in cover from the enemy that the lead can reach, not nearer to the enemy."""
    start = state.figures[lead].at
    planner = planning.Planner(state, unit, lead, (start,), left, ())

    def is_cover(at: Point) -> bool:
        if squared(at, threat) < squared(start, threat) or planner.fault_at(lead, at):
            return False
        if cover.at_place(state, Base(NO_FIGURE, threat, 1), at) == "open":
            return False
        path = planner.path(lead, at)
        return path is not None and planner.cost(path) <= left

    return nearest_place(start, is_cover, STEP, left)


def _towards_cover(state: Battle, start: Point, left: int) -> Point | None:
    """Return the place as far towards the nearest ground that gives cover as a figure comes; None without any."""
    table = ground.scenery_of(state)
    areas = [area for area in table.areas if ground.terrain(state, area.id).cover != "open"]
    lines = [one for one in table.barriers if ground.terrain(state, one.id).cover != "open"]
    nearest = [nearest_on_edges(start, edges_of(area.outline)) for area in areas]
    nearest += [nearest_on_edges(start, one.edges) for one in lines]
    if not nearest:
        return None
    return towards(start, min(nearest, key=lambda at: squared(at, start)), left)
