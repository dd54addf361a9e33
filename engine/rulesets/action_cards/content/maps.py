"""A scenario laid out on a map that stands in a file of its own."""

from __future__ import annotations

from collections.abc import Mapping

from engine.rulesets.action_cards.content.schema import MapEntry, ScenarioEntry


def laid_out(scenario: ScenarioEntry, maps: Mapping[str, MapEntry | None]) -> ScenarioEntry:
    """The scenario with size, ground, features and zones of the map that it names; its own come after the map's."""
    table = maps.get(scenario.map)
    if table is None:
        return scenario
    feature, zone = [*table.feature, *scenario.feature], [*table.zone, *scenario.zone]
    return scenario.model_copy(update={"size": table.size, "ground": table.ground, "feature": feature, "zone": zone})
