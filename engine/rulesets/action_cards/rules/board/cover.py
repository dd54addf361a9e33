"""Cover of a group, and the kill number that follows from it (AC-TERR-01)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from engine.core.rules.implements import implements
from engine.rulesets.action_cards.rules.board import table, weather
from engine.rulesets.action_cards.state.state import Skirmish
from engine.space.terrain.features import crosses_within
from engine.space.vectors.points import Segment, widened
from protocol.ids import FigureId, GroupId

CLASSES: Final = ("open", "cover", "building")
"""From the worst protection to the best."""
DUG: Final = "cover"
"""The protection of those who have dug themselves in."""
BEHIND: Final = 100
"""A barrier protects those at most so far behind it, from the edge of the base."""


@implements("AC-TERR-01")
def group_cover(state: Skirmish, group: GroupId) -> str:
    """Return the best cover that holds more than half of a group's figures; "open" without one, and in the air."""
    count = len(state.groups[group].figures)
    held = [
        table.kind(state, id).cover
        for id, inside in table.board(state).standing[group].inside.items()
        if 2 * inside > count
    ]
    return best([*held, DUG]) if state.groups[group].dug else best(held)


@implements("AC-TERR-01")
def cover_against(state: Skirmish, shooters: Collection[FigureId], target: GroupId) -> str:
    """Return the cover of a group against these shooters, barriers included.

    A barrier counts when the lines of fire of all shooters who have sight cross it near the figure aimed at.
    """

    def found() -> str:
        held = group_cover(state, target)
        return held if held == CLASSES[-1] else best([held, *_cover_of_shields(state, shooters, target)])

    return table.board(state).get(("cover", *shooters, target, weather.sight_limit(state)), (), found)


@implements("AC-TERR-01")
def kill_number(state: Skirmish, shooters: Collection[FigureId], target: GroupId) -> int:
    """Return the points that remove one figure of the group `target`, shot at by these figures."""
    return table.kill_of(state, target).number(cover_against(state, shooters, target))


def best(classes: Collection[str]) -> str:
    """Return the best of several cover classes."""
    return max(classes, key=CLASSES.index, default=CLASSES[0])


def _lines_of_fire(state: Skirmish, shooters: Collection[FigureId], target: GroupId) -> list[tuple[FigureId, FigureId]]:
    groups = [group.id for group in state.groups.values() if not set(group.figures).isdisjoint(shooters)]
    return [line for group in groups for line in table.sight(state, group, target).lines if line[0] in shooters]


def _cover_of_shields(state: Skirmish, shooters: Collection[FigureId], target: GroupId) -> list[str]:
    if table.board(state).is_airborne(target) or any(state.figures[shooter].airborne for shooter in shooters):
        return []  # fire from above, or at it, passes over barriers
    shields = _shields_near(state, shooters, target)
    lines = _lines_of_fire(state, shooters, target) if shields else []
    return [table.kind(state, id).cover for id, edges in shields if _behind(state, lines, edges)]


def _shields_near(
    state: Skirmish, shooters: Collection[FigureId], target: GroupId
) -> list[tuple[str, tuple[Segment, ...]]]:
    """Find barriers and shielding areas (vehicles) near enough to protect a group, but not the two groups' own."""
    scenery, formation = table.board(state).scenery, table.board(state).standing[target].formation
    box = widened(formation.box, formation.radius + BEHIND)
    barriers = [(str(barrier.id), barrier.edges) for barrier in scenery.barriers_near(box)]
    own = (*state.groups[target].figures, *shooters)
    areas = [
        (str(area.id), area.edges)
        for area in scenery.areas_near(box)
        if area.id not in own and table.kind(state, str(area.id)).shields
    ]
    return [*barriers, *areas]


def _behind(state: Skirmish, lines: list[tuple[FigureId, FigureId]], edges: tuple[Segment, ...]) -> bool:
    return bool(lines) and all(_near_its_end(state, shooter, aimed_at, edges) for shooter, aimed_at in lines)


def _near_its_end(state: Skirmish, shooter: FigureId, aimed_at: FigureId, edges: tuple[Segment, ...]) -> bool:
    start, end = state.figures[shooter].at, state.figures[aimed_at].at
    return crosses_within(start, end, edges, end, BEHIND + table.radius(state, aimed_at))
