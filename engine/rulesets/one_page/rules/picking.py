"""Fields that several verbs of this game share: units, and places around a leader."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.kit.blanks import Draft
from engine.kit.board import place_fields
from engine.kit.unit_fields import UnitFields
from engine.rulesets.one_page.rules import formations, traits
from engine.rulesets.one_page.state import names
from engine.rulesets.one_page.state.state import Battle, Unit
from engine.space.vectors.points import Point
from protocol.ids import FigureId
from protocol.scene.fields import Placement

Choosing = Draft[Battle]
"""A choice of this game that is being filled in."""
_UNITS: Final = UnitFields[Battle, Unit](names.unit)
pick, unit_of, enemies, whole = _UNITS.pick, _UNITS.unit_of, _UNITS.enemies, _UNITS.whole


def others_at(
    draft: Choosing, field: Placement, unit: Unit, lead: Point, places: Mapping[FigureId, Point]
) -> Placement:
    """Return a field of the places of all models but the leader."""
    radius = traits.radius(draft.state, draft.state.leader(unit))
    return place_fields.others_at(field, unit.leader, lead, radius, formations.SPREAD, places)


def settled(draft: Choosing, field: Placement) -> Placement:
    """Return a field of the places of a unit's models around the place that was picked for its leader."""
    unit, to = unit_of(draft), draft.point("to")
    return others_at(draft, field, unit, to, formations.settled(draft.state, unit, to, {}))
