"""Fields that several verbs of this game share: units, and places around a lead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from engine.core.rules.errors import is_legal
from engine.kit.blanks import Draft
from engine.kit.board import place_fields
from engine.kit.rules import Seat
from engine.kit.unit_fields import UnitFields
from engine.rulesets.apocalypse_earth.rules.table import stands, traits
from engine.rulesets.apocalypse_earth.rules.turns import activations
from engine.rulesets.apocalypse_earth.state import names
from engine.rulesets.apocalypse_earth.state.lasting import March
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit
from engine.space.vectors.points import Point
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import Placement

Choosing = Draft[Battle]
"""A choice of this game that is being filled in."""
_UNITS: Final = UnitFields[Battle, Unit](names.unit)
pick, unit_of = _UNITS.pick, _UNITS.unit_of


def able(check: Callable[[Battle, Seat, GroupId], object], step: int) -> Callable[[Choosing], list[Unit]]:
    """Return a finder of the units for which a step of the action may be open, and that pass a check."""

    def found(draft: Choosing) -> list[Unit]:
        state, seat = draft.state, draft.seat
        return [u for u in activations.acting(state, seat, step) if is_legal(partial(check, state, seat, u.id))]

    return found


def marched(field: Placement, march: March) -> Placement:
    """Return a field of the places of all figures of a unit at the end of a march, but of its lead."""
    return others_at(field, march.lead, march.way[-1], {id: path[-1] for id, path in march.ways.items()})


def others_at(field: Placement, lead: FigureId, at: Point, places: Mapping[FigureId, Point]) -> Placement:
    """Return a field of the places of all figures of a unit but the lead."""
    return place_fields.others_at(field, lead, at, traits.RADIUS, stands.SPREAD, places)
