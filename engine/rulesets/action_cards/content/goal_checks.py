"""Checks of victory conditions and of special actions: names within the scenario that they use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.core.content.content_files import ContentFault, used_twice
from engine.core.content.toml_source import Loc
from engine.core.content.unsound import sound
from engine.kit.scenario.references import ids_of, not_among
from engine.rulesets.action_cards.content.schema import ConditionEntry, ScenarioEntry
from engine.rulesets.action_cards.rules.scenario.conditions import KINDS
from engine.rulesets.action_cards.rules.special_actions.specials import CHANGING, EFFECTS
from engine.rulesets.action_cards.state.model import Special
from protocol import near_names


def condition_faults(loc: Loc, conditions: Sequence[ConditionEntry], scenario: ScenarioEntry) -> Iterator[ContentFault]:
    """Yield everything that is wrong with the conditions of a role, or with the secret ones."""
    for place, condition in enumerate(conditions):
        here = (*loc, place)
        yield from sound(
            not_among((*here, "kind"), condition.kind, KINDS),
            *[_part(here, condition, key, scenario) for key in ("feature", "zone", "special")],
            _rival(here, condition, scenario),
            _complete(here, condition),
        )


def _part(here: Loc, condition: ConditionEntry, key: str, scenario: ScenarioEntry) -> Iterator[ContentFault]:
    named = getattr(condition, key)
    known = [entry.id for entry in getattr(scenario, key)]
    if named and named not in known:
        yield ContentFault((*here, key), f"the scenario has no {key} {named}{near_names.meant(named, known)}")


def _rival(here: Loc, condition: ConditionEntry, scenario: ScenarioEntry) -> Iterator[ContentFault]:
    if condition.seat >= len(scenario.role):
        yield ContentFault((*here, "seat"), f"the scenario has seats 0 to {len(scenario.role) - 1}")


def _complete(here: Loc, condition: ConditionEntry) -> Iterator[ContentFault]:
    keys = _NEEDED.get(condition.kind, ())
    if keys and not any(getattr(condition, key) not in ("", -1) for key in keys):
        yield ContentFault(here, f"{condition.kind} needs {' or '.join(keys)}")


_NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("hold", "stands", "falls"), ("feature",)),
    **dict.fromkeys(("done", "together"), ("special",)),
    "reach": ("feature", "zone"),
    "outlive": ("seat",),
}


def special_faults(loc: Loc, specials: Sequence[Special], scenario: ScenarioEntry | None) -> Iterator[ContentFault]:
    """Yield the faults of special actions: of a scenario, or of a faction, which has no features."""
    yield from used_twice(loc, ids_of(specials))
    for place, special in enumerate(specials):
        here = (*loc, place)
        yield from sound(
            not_among((*here, "effect"), special.effect, EFFECTS),
            _changing(here, special),
            _featured((*here, "feature"), special, scenario),
        )


def _changing(here: Loc, special: Special) -> Iterator[ContentFault]:
    if special.effect in CHANGING and not special.feature:
        yield ContentFault(here, f"{special.effect} needs a feature")


def _featured(here: Loc, special: Special, scenario: ScenarioEntry | None) -> Iterator[ContentFault]:
    named, known = special.feature, [feature.id for feature in scenario.feature] if scenario is not None else []
    if named and named not in known:
        yield ContentFault(here, f"no feature {named} is known here{near_names.meant(named, known)}")
