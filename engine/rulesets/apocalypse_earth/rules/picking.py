"""Fields that several verbs of this game share: units, and places around a lead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.kit.blanks import Draft
from engine.kit.board import place_fields
from engine.kit.unit_fields import UnitFields
from engine.rulesets.apocalypse_earth.rules import stands, traits
from engine.rulesets.apocalypse_earth.state import names
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit
from engine.space.vectors.points import Point
from protocol.ids import FigureId
from protocol.scene.fields import Placement

Choosing = Draft[Battle]
"""A choice of this game that is being filled in."""
_UNITS: Final = UnitFields[Battle, Unit](names.unit)
pick, unit_of = _UNITS.pick, _UNITS.unit_of


def others_at(field: Placement, lead: FigureId, at: Point, places: Mapping[FigureId, Point]) -> Placement:
    """Return a field of the places of all figures of a unit but the lead."""
    return place_fields.others_at(field, lead, at, traits.RADIUS, stands.SPREAD, places)
