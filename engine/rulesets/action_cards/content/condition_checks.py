"""Checks of victory conditions: names within the scenario that they use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.core.content.content_files import ContentFault
from engine.core.content.toml_source import Loc
from engine.core.content.unsound import sound
from engine.kit.scenario.references import not_among
from engine.rulesets.action_cards.content.schema import ConditionEntry, ScenarioEntry
from engine.rulesets.action_cards.rules.scenario.conditions import KINDS
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
