"""Fields that several verbs of this game share: units, and places around a leader."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from engine.kit.blanks import Draft, Picker
from engine.kit.board import place_fields
from engine.kit.rules import IllegalIntent, Intent, Seat
from engine.rulesets.one_page.rules import formations, traits
from engine.rulesets.one_page.state import names
from engine.rulesets.one_page.state.state import Battle, Unit
from engine.space.vectors.points import Point
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import Placement

Choosing = Draft[Battle]
"""A choice of this game that is being filled in."""
I = TypeVar("I", bound=Intent)  # noqa: E741 - the type of an intent
pick: Final = Picker[Battle, Unit](
    lambda unit: names.group_node(unit.id), lambda state, unit: names.unit(state, unit.id), preset=True
)
"""Makes a field of one unit out of several, the first by default."""


def whole(
    check: Callable[[Battle, Seat, I], object], intent: Callable[[GroupId, GroupId], I]
) -> Callable[[Choosing, Unit], object]:
    """Make the check of a candidate that checks the whole intent, made of the picked unit and the candidate."""
    return lambda draft, thing: check(draft.state, draft.seat, intent(unit_of(draft).id, thing.id))


def unit_of(draft: Choosing, key: str = "unit") -> Unit:
    """Return the unit picked in a field. Raises IllegalIntent."""
    unit = draft.state.units.get(draft.group(key))
    if unit is None:
        raise IllegalIntent("act/not-yours")
    return unit


def enemies(draft: Choosing) -> list[Unit]:
    """Return the enemies on the table."""
    return draft.state.enemies(draft.seat)


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
