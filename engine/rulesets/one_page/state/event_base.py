"""Base class of a battle's events, changes of one unit or one seat, and upcasters of events stored under RULES 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.match.upcasting import Entry, roll_before
from engine.core.rules.events import Event
from engine.kit.changes import of
from engine.rulesets.one_page.state.state import Battle
from protocol.ids import GroupId


class BattleEvent(Event[Battle], frozen=True):
    """Base of all events of this system."""


class UnitEvent(BattleEvent, frozen=True):
    """Base of the events of one unit."""

    unit: GroupId


of_unit = of("units", "unit")
of_seat = of("seats", "seat")


Fields = dict[str, Any]


def rolled(fields: Fields, earlier: Sequence[Entry]) -> Fields:
    """Replace the faces by the number of their roll."""
    rest = {name: value for name, value in fields.items() if name != "faces"}
    return {**rest, "roll": roll_before(earlier, fields["faces"])}


def power_tried(fields: Fields, earlier: Sequence[Entry]) -> Fields:
    """Read a cast whose number of dice was not a field of its own."""
    return {**rolled(fields, earlier), "dice": len(fields["faces"])}
