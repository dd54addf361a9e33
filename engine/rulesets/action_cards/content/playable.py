"""Checks that a scenario can be played: start zones apart, goals possible, ways to them open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from engine.core.content.toml_source import Loc
from engine.core.rules.implements import implements
from engine.kit.terrain.checks import on_table
from engine.kit.terrain.passability import Passability
from engine.kit.terrain.place_schema import FeatureEntry, ZoneEntry
from engine.rulesets.action_cards.content.schema import ConditionEntry, ScenarioEntry
from engine.rulesets.action_cards.state.model import Terrain
from engine.space.vectors.points import box_of, boxes_meet, widened

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
    conditions = [condition for role in scenario.role for condition in role.condition]
    named = {special.feature for special in scenario.special}
    named |= {condition.feature for condition in (*conditions, *scenario.secret)}
    goals: list[FeatureEntry | ZoneEntry] = [f for f in scenario.feature if f.id in named]
    goals += scenario.zone
    walls = [f.corners for f in scenario.feature if kinds[f.kind].is_wall]
    starts = tuple([role.start for role in scenario.role])
    ways = Passability(scenario.size, starts, tuple([goal.corners for goal in goals]), tuple(walls))
    for start, goal in ways.shut_out():
        yield ("scenario", "role", start, "start"), f"there is no way from here to {goals[goal].id}"


def _starts(scenario: ScenarioEntry) -> Iterator[Fault]:
    boxes = [box_of(role.start) for role in scenario.role]
    for place, (left, bottom, right, top) in enumerate(boxes):
        if min(right - left, top - bottom) < LEAST_START:
            few = f"a start zone is {LEAST_START // 100} inches wide and high at least"
            yield ("scenario", "role", place, "start"), few
    for one, other in combinations(range(len(boxes)), 2):
        if boxes_meet(boxes[one], widened(boxes[other], -1)):
            yield ("scenario", "role", other, "start"), f"the start zone lies over that of role {one}"


def _scatters(scenario: ScenarioEntry, kinds: Mapping[str, Terrain]) -> Iterator[Fault]:
    for place, scatter in enumerate(scenario.scatter):
        here = ("scenario", "scatter", place)
        if not on_table(scatter.within, scenario.size):
            yield (*here, "within"), "reaches beyond the table"
        kind = kinds.get(scatter.kind)
        if kind is None:
            yield (*here, "kind"), f"no terrain has the id {scatter.kind}"
        elif kind.line != (scatter.form == "line"):
            form = "a barrier: a line" if kind.line else "no barrier: a patch or box"
            yield (*here, "form"), f"{scatter.kind} is {form}"
        left, bottom, right, top = box_of(scatter.within)
        wide, high = sorted(scatter.size)
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
        found = (*_impossible(condition, scenario, kinds), *_unmeant(condition, forces, seat))
        yield from (((*loc, place, key), reason) for key, reason in found)


def _impossible(c: ConditionEntry, scenario: ScenarioEntry, kinds: Mapping[str, Terrain]) -> Iterator[tuple[str, str]]:
    """Yield why nothing on the table can meet a condition, by key."""
    kind = next((kinds.get(f.kind) for f in scenario.feature if f.id == c.feature), None)
    if kind is not None and c.kind in ("hold", "reach") and (kind.line or kind.impassable):
        yield "feature", f"nobody can be in {c.feature}"
    once = next((s.goal for s in scenario.special if s.id == c.special and s.once), c.goal)
    if c.kind in ("done", "together") and c.goal > once:
        yield "goal", f"{c.special} succeeds {once} times at most"
    if c.kind == "falls" and not any(s.effect == "clear" and s.feature == c.feature for s in scenario.special):
        yield "feature", f"nothing in this scenario can bring {c.feature} down"


def _unmeant(c: ConditionEntry, forces: Mapping[str, int], seat: int) -> Iterator[tuple[str, str]]:
    """Yield why a condition cannot be for this seat (-1: whoever is dealt it), or for every force, by key."""
    if c.kind in ("destroy", "outlive") and c.seat >= 0 and seat < 0:
        yield "seat", "a secret condition about a seat might be dealt to that seat"
    elif c.kind in ("destroy", "outlive") and c.seat == seat >= 0:
        yield "seat", "a seat cannot be its own rival"
    smallest = min(forces, key=lambda id: (forces[id], id), default="")
    if c.kind in ("reach", "survive") and not c.share and c.goal > forces.get(smallest, 0):
        yield "goal", f"{smallest} have {forces.get(smallest, 0)} figures: give a share"
