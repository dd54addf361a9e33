"""The table as geometry: bases, lines of sight, cover, and where a group may go."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from engine.core.rules.errors import IllegalIntent
from engine.kit.board.board import Board
from engine.kit.board.sightlines import Look, Sight
from engine.kit.terrain.ground import prepared
from engine.space.movement.moves import Way, straight_move_fault
from engine.space.movement.reach import reach_region
from engine.space.placement.figures import Room, place_around
from engine.space.sight.corridor import Corridor
from engine.space.sight.lines import Formation, SightLines
from engine.space.terrain.contact import Base
from engine.space.terrain.features import Scenery
from engine.space.terrain.gaps import shapes_gap
from engine.space.vectors.outlines import Outline
from protocol.ids import FigureId, GroupId

from .content import RADIUS, Point
from .state import Battle, Figure, Group

SPREAD = 200
"""Figures stand at most so far from their lead."""


class Bases:
    """Figures stand on round bases, and see from centre to centre past what blocks sight, other groups included."""

    @property
    def look(self) -> Look:
        """The rule of sight."""
        return _look

    def bases(self, figures: Sequence[Figure]) -> list[Base]:
        """Return the bases of figures."""
        return [Base(figure.id, figure.at, RADIUS) for figure in figures]

    def is_down(self, figure: Figure) -> bool:
        """Return True: nobody flies."""
        return True


def _look(
    ground: Scenery, one: Formation, other: Formation, others: Sequence[Formation], corridor: Corridor | None = None
) -> Sight:
    view = SightLines(ground, one, other, others, corridor)
    first = view.first()
    if first is None:
        return Sight((), view.nearest_obstacle)
    return Sight(((one.figures[first.shooter].id, other.figures[first.target].id),))


def board(state: Battle) -> Board[Figure]:
    """Return the board of the groups as they stand."""
    return state.resolved.memo.about((state.groups, state.figures), partial(_board, state))


def _board(state: Battle, parts: tuple[object, ...]) -> Board[Figure]:
    memo, kinds = state.resolved.memo, state.resolved.terrain
    scenario = state.resolved.scenario
    laid = [(feature, kinds[feature.kind]) for feature in scenario.features]
    ground = memo.get("ground", (), lambda: prepared(scenario.size, laid))
    there = {
        group.id: tuple([state.figures[id] for id in group.figures]) for group in state.groups.values() if group.figures
    }
    return Board(parts, memo, ground, there, Bases())


def distance(state: Battle, one: GroupId, other: GroupId) -> int:
    """Return the gap between the nearest bases of two groups."""
    standing = board(state).standing
    return shapes_gap(standing[one].formation.figures, standing[other].formation.figures)


def has_cover(state: Battle, group: Group) -> bool:
    """Tell whether at least half of a group stands in cover of one piece of terrain."""
    kinds = {feature.id: state.resolved.terrain[feature.kind] for feature in state.resolved.scenario.features}
    inside = board(state).standing[group.id].inside
    return any(kinds[area].cover and 2 * count >= len(group.figures) for area, count in inside.items())


def reach(state: Battle, group: Group) -> Outline:
    """Return the outline of the places where the lead of a group may go."""
    speed, at = state.profile(group).speed, _lead(state, group).at
    return board(state).get(("reach", group.id), (), lambda: reach_region(_way(state, group), at, speed))


def places(state: Battle, group: Group, to: Point) -> dict[FigureId, Point]:
    """Return where the figures of a group stand once their lead has gone straight to a place. Raises IllegalIntent."""
    way, lead = _way(state, group), _lead(state, group)
    fault = straight_move_fault(way, lead.at, to, state.profile(group).speed)
    if fault is not None:
        raise IllegalIntent(f"move/{fault.cause}")
    placed = stood(way.scenery, Base(lead.id, to, RADIUS), group.figures[1:], way.stopping)
    if len(placed) < len(group.figures):
        raise IllegalIntent("move/no-room")
    return placed


def stood(ground: Scenery, lead: Base, others: Sequence[FigureId], bases: tuple[Base, ...]) -> dict[FigureId, Point]:
    """Return the places of a lead and of those others that find room around it, clear of some bases."""
    around = place_around(Room(ground, lead, SPREAD, bases=bases), [(id, RADIUS) for id in others])
    return {lead.id: lead.at, **{base.id: base.at for base in around}}


def _lead(state: Battle, group: Group) -> Figure:
    return state.figures[group.figures[0]]


def _way(state: Battle, group: Group) -> Way:
    """Return what a group may meet on its way. It goes into terrain, and no farther than through it."""
    now = board(state)
    others = [base for id, one in now.standing.items() if id != group.id for base in one.formation.figures]
    return Way(now.ground, RADIUS, beyond=state.profile(group).speed, stopping=tuple(others))
