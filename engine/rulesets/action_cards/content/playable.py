"""Checks that a scenario can be played: start zones apart, goals possible, ways to them open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from engine.core.content.toml_source import Loc
from engine.core.rules.implements import implements
from engine.rulesets.action_cards.content.schema import ConditionEntry, ScenarioEntry
from engine.rulesets.action_cards.content.shapes import box, corners, point
from engine.rulesets.action_cards.rules.scenario.passability import Passability
from engine.rulesets.action_cards.state.model import Feature, Terrain
from engine.space.vectors.points import Box, box_of

Fault = tuple[Loc, str]
LEAST_START: Final = 300
"""A start zone is at least so wide and high."""


@implements("AC-SETUP-01", "AC-SCEN-01")
def problems(scenario: ScenarioEntry, kinds: Mapping[str, Terrain], forces: Mapping[str, int]) -> Iterator[Fault]:
    """Yield what keeps a scenario with sound references from being played, each with its place.

    `kinds` by id; `forces`: figures of each faction that may play it, by id.
    """
    yield from _starts(scenario)
    yield from _scatters(scenario, kinds)
    for place, role in enumerate(scenario.role):
        here = ("scenario", "role", place, "condition")
        yield from _conditions(here, role.condition, scenario, kinds, forces, place)
    yield from _conditions(("scenario", "secret"), scenario.secret, scenario, kinds, forces, -1)
    yield from _ways(scenario, kinds)


def _ways(scenario: ScenarioEntry, kinds: Mapping[str, Terrain]) -> Iterator[Fault]:
    """Yield the goals that a start zone has no way to."""
    named = {special.feature for special in scenario.special}
    conditions = [condition for role in scenario.role for condition in role.condition]
    named |= {condition.feature for condition in (*conditions, *scenario.secret)}
    features = tuple(Feature(f.id, f.kind, f.name, corners(f)) for f in scenario.feature)
    goals = [(f.id, f.outline) for f in features if f.id in named] + [
        (zone.id, corners(zone)) for zone in scenario.zone
    ]
    starts = tuple(box(role.start) for role in scenario.role)
    passability = Passability(point(scenario.size), starts, tuple(outline for _, outline in goals), kinds, features)
    for start, goal in passability.shut_out():
        yield ("scenario", "role", start, "start"), f"there is no way from here to {goals[goal][0]}"


def _starts(scenario: ScenarioEntry) -> Iterator[Fault]:
    boxes = [box_of(box(role.start)) for role in scenario.role]
    for place, (left, bottom, right, top) in enumerate(boxes):
        if min(right - left, top - bottom) < LEAST_START:
            yield (
                ("scenario", "role", place, "start"),
                f"a start zone is {LEAST_START // 100} inches wide and high at least",
            )
    for one, other in combinations(range(len(boxes)), 2):
        if _share_ground(boxes[one], boxes[other]):
            yield ("scenario", "role", other, "start"), f"the start zone lies over that of role {one}"


def _share_ground(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _scatters(scenario: ScenarioEntry, kinds: Mapping[str, Terrain]) -> Iterator[Fault]:
    width, height = (int(side * 100) for side in scenario.size)
    for place, scatter in enumerate(scenario.scatter):
        here = ("scenario", "scatter", place)
        left, bottom, right, top = box_of(box(scatter.within))
        if left < 0 or bottom < 0 or right > width or top > height:
            yield (*here, "within"), "reaches beyond the table"
        kind = kinds.get(scatter.kind)
        if kind is None:
            yield (*here, "kind"), f"no terrain has the id {scatter.kind}"
        elif kind.line != (scatter.form == "line"):
            yield (
                (*here, "form"),
                f"{scatter.kind} is {'a barrier: a line' if kind.line else 'no barrier: a patch or box'}",
            )
        wide, high = sorted(int(side * 100) for side in scatter.size)
        if wide < 0 or high < 100 or (wide < 100 and scatter.form != "line"):
            yield (*here, "size"), "a piece is an inch wide and high at least"
        elif wide > min(right - left, top - bottom) or high > max(right - left, top - bottom):
            yield (*here, "size"), "a piece finds no room in its part of the table"


def _conditions(
    loc: Loc,
    conditions: Sequence[ConditionEntry],
    scenario: ScenarioEntry,
    kinds: Mapping[str, Terrain],
    forces: Mapping[str, int],
    seat: int,
) -> Iterator[Fault]:
    for place, condition in enumerate(conditions):
        yield from (
            ((*loc, place, key), reason) for key, reason in _impossible(condition, scenario, kinds, forces, seat)
        )


def _impossible(
    condition: ConditionEntry,
    scenario: ScenarioEntry,
    kinds: Mapping[str, Terrain],
    forces: Mapping[str, int],
    seat: int,
) -> Iterator[tuple[str, str]]:
    feature = next((f for f in scenario.feature if f.id == condition.feature), None)
    kind = kinds.get(feature.kind) if feature is not None else None
    if kind is not None and condition.kind in ("hold", "reach") and (kind.line or kind.impassable):
        yield "feature", f"nobody can be in {condition.feature}"
    special = next((s for s in scenario.special if s.id == condition.special), None)
    if (
        special is not None
        and condition.kind in ("done", "together")
        and special.once
        and condition.goal > special.goal
    ):
        yield "goal", f"{condition.special} succeeds {special.goal} times at most"
    if condition.kind in ("destroy", "outlive") and condition.seat >= 0 and seat < 0:
        yield "seat", "a secret condition about a seat might be dealt to that seat"
    elif condition.kind in ("destroy", "outlive") and condition.seat == seat >= 0:
        yield "seat", "a seat cannot be its own rival"
    smallest = min(forces, key=lambda id: (forces[id], id), default="")
    if condition.kind in ("reach", "survive") and not condition.share and condition.goal > forces.get(smallest, 0):
        yield "goal", f"{smallest} have {forces.get(smallest, 0)} figures: give a share"
    if condition.kind == "falls" and not _can_fall(condition.feature, scenario):
        yield "feature", f"nothing in this scenario can bring {condition.feature} down"


def _can_fall(feature: str, scenario: ScenarioEntry) -> bool:
    return any(special.effect == "clear" and special.feature == feature for special in scenario.special)
