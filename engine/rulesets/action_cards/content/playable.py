"""Checks that a scenario can be played: start zones apart, goals possible, ways to them open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.core.content.content_files import ContentFault
from engine.core.content.toml_source import Loc
from engine.core.content.unsound import needed, part, sound
from engine.core.rules.implements import implements
from engine.kit.terrain.checks import scatter_faults, start_faults
from engine.kit.terrain.passability import Passability
from engine.kit.terrain.place_schema import FeatureEntry, ZoneEntry
from engine.rulesets.action_cards.content.schema import ConditionEntry, ScenarioEntry
from engine.rulesets.action_cards.state.model import Terrain


@implements("AC-SETUP-01", "AC-SCEN-01")
def problems(
    scenario: ScenarioEntry, kinds: Mapping[str, Terrain], forces: Mapping[str, int], *, blind: bool = False
) -> Iterator[ContentFault]:
    """Yield what keeps a scenario from being played, as far as it is sound, each with its place.

    `kinds` by id, of which some may lack where `blind`; `forces`: figures of each faction that may play it, by id.
    """
    starts = [part(role, "start") for role in scenario.role]
    lines = {id: part(kind, "line") for id, kind in kinds.items()}
    scatters = [
        scatter_faults(("scenario", "scatter", place), scatter, scenario.size, lines, blind=blind)
        for place, scatter in enumerate(scenario.scatter)
    ]
    conditions = [
        _conditions(("scenario", "role", place, "condition"), part(role, "condition"), scenario, kinds, forces, place)
        for place, role in enumerate(scenario.role)
    ]
    secrets = _conditions(("scenario", "secret"), scenario.secret, scenario, kinds, forces, -1)
    yield from sound(start_faults(("scenario", "role"), starts), *scatters, *conditions, secrets)


@implements("AC-SETUP-01")
def barred_ways(scenario: ScenarioEntry, kinds: Mapping[str, Terrain]) -> Iterator[ContentFault]:
    """Yield the goals that a start zone has no way to, on a table without faults."""
    conditions = [condition for role in scenario.role for condition in role.condition]
    named = {special.feature for special in scenario.special}
    named |= {condition.feature for condition in (*conditions, *scenario.secret)}
    goals: list[FeatureEntry | ZoneEntry] = [f for f in scenario.feature if f.id in named]
    goals += scenario.zone
    walls = [f.corners for f in scenario.feature if needed(kinds, f.kind).is_wall]
    starts = tuple([role.start for role in scenario.role])
    ways = Passability(scenario.size, starts, tuple([goal.corners for goal in goals]), tuple(walls))
    for start, goal in ways.shut_out():
        reason = f"there is no way from here to {goals[goal].id}"
        yield ContentFault(("scenario", "role", start, "start"), reason)


def _conditions(
    loc: Loc,
    conditions: Sequence[ConditionEntry],
    scenario: ScenarioEntry,
    kinds: Mapping[str, Terrain],
    forces: Mapping[str, int],
    seat: int,
) -> Iterator[ContentFault]:
    for place, condition in enumerate(conditions):
        for key, reason in sound(_impossible(condition, scenario, kinds), _unmeant(condition, forces, seat)):
            yield ContentFault((*loc, place, key), reason)


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
