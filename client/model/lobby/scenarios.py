"""Choice of scenarios: the next scenario, and the forms of one for other numbers of players."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.wire.choices import ScenarioChoice


def next_scenario(scenarios: Sequence[ScenarioChoice], id: str) -> str:
    """Return the id of the next scenario, in its own number of players; the first follows the last."""
    whole = [scenario.id for scenario in scenarios if not scenario.form_of]
    now = next((scenario.form_of or scenario.id for scenario in scenarios if scenario.id == id), "")
    return whole[(whole.index(now) + 1) % len(whole)] if now in whole else scenarios[0].id


def next_form(scenarios: Sequence[ScenarioChoice], id: str) -> str:
    """Return the id of the same scenario for the next number of players; the first follows the last."""
    forms = forms_of(scenarios, id)
    return forms[(forms.index(id) + 1) % len(forms)] if id in forms else id


def forms_of(scenarios: Sequence[ScenarioChoice], id: str) -> list[str]:
    """Return the ids of all forms of this scenario, the one for its own number of players first."""
    whole = next((scenario.form_of or scenario.id for scenario in scenarios if scenario.id == id), id)
    return [scenario.id for scenario in scenarios if whole in (scenario.id, scenario.form_of)]
