"""Checks of special actions, of a scenario or of a faction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.content.content_files import ContentFault, used_twice
from engine.core.content.toml_source import Loc
from engine.core.content.unsound import sound
from engine.kit.scenario.references import ids_of, not_among
from engine.rulesets.action_cards.content.schema import ScenarioEntry
from engine.rulesets.action_cards.rules.special_actions.specials import CHANGING, EFFECTS
from engine.rulesets.action_cards.state.model import Special
from protocol import near_names


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
    if special.feature:
        known = [feature.id for feature in scenario.feature] if scenario is not None else []
        if special.feature not in known:
            meant = near_names.meant(special.feature, known)
            yield ContentFault(here, f"no feature {special.feature} is known here{meant}")
