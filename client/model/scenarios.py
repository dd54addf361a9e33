"""Scenarios as a person chooses them: one after another, and for each the numbers of players that it knows."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.wire.choices import ScenarioChoice


def next_scenario(scenarios: Sequence[ScenarioChoice], id: str) -> str:
    """The scenario after this one, each for its own number of players, round and round."""
    whole = [scenario.id for scenario in scenarios if not scenario.form_of]
    now = next((scenario.form_of or scenario.id for scenario in scenarios if scenario.id == id), "")
    return whole[(whole.index(now) + 1) % len(whole)] if now in whole else scenarios[0].id


def next_form(scenarios: Sequence[ScenarioChoice], id: str) -> str:
    """The same scenario for another number of players, round and round."""
    forms = forms_of(scenarios, id)
    return forms[(forms.index(id) + 1) % len(forms)] if id in forms else id


def forms_of(scenarios: Sequence[ScenarioChoice], id: str) -> list[str]:
    """All forms of the scenario that this is one of, its own number of players first."""
    whole = next((scenario.form_of or scenario.id for scenario in scenarios if scenario.id == id), id)
    return [scenario.id for scenario in scenarios if whole in (scenario.id, scenario.form_of)]
