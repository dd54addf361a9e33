"""Maps in files of their own, on which scenarios are laid out."""

from __future__ import annotations

from collections.abc import Mapping

from engine.rulesets.action_cards.content.schema import MapEntry, ScenarioEntry


def laid_out(scenario: ScenarioEntry, maps: Mapping[str, MapEntry | None]) -> ScenarioEntry:
    """Return the scenario with size, ground, features and zones of the map that it names; its own come after the
    map's."""
    table = maps.get(scenario.map)
    if table is None:
        return scenario
    feature, zone = [*table.feature, *scenario.feature], [*table.zone, *scenario.zone]
    return scenario.model_copy(update={"size": table.size, "ground": table.ground, "feature": feature, "zone": zone})
