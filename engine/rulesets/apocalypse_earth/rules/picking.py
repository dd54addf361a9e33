"""Fields that several verbs of this game share: units, and places around a lead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.kit.blanks import Draft, Picker
from engine.kit.board import place_fields
from engine.kit.rules import IllegalIntent
from engine.rulesets.apocalypse_earth.rules import stands, traits
from engine.rulesets.apocalypse_earth.state import names
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit
from engine.space.vectors.points import Point
from protocol.ids import FigureId
from protocol.scene.fields import Placement

Choosing = Draft[Battle]
"""A choice of this game that is being filled in."""
pick: Final = Picker[Battle, Unit](
    lambda unit: names.group_node(unit.id), lambda state, unit: names.unit(state, unit.id), preset=True
)
"""Makes a field of one unit out of several, the first by default."""


def unit_of(draft: Choosing, key: str = "unit") -> Unit:
    """Return the unit picked in a field. Raises IllegalIntent."""
    unit = draft.state.units.get(draft.group(key))
    if unit is None:
        raise IllegalIntent("act/not-yours")
    return unit


def others_at(field: Placement, lead: FigureId, at: Point, places: Mapping[FigureId, Point]) -> Placement:
    """Return a field of the places of all figures of a unit but the lead."""
    return place_fields.others_at(field, lead, at, traits.RADIUS, stands.SPREAD, places)
