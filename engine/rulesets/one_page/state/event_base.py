"""Base class of a battle's events, changes of one unit or one seat, and upcasters of events stored under RULES 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from engine.core.match.upcasting import Entry, roll_before
from engine.core.rules.events import Event
from engine.kit.changes import of
from engine.kit.present.cues import CueLine, says
from engine.rulesets.one_page.state.state import Battle, Unit
from protocol.ids import GroupId


class BattleEvent(Event[Battle], frozen=True):
    """Base of all events of this system."""


def happens(key: str | tuple[str, str, str], rule: str, **arguments: str) -> CueLine:
    """Declare the cue of what happens to one unit."""
    return says("note", key, rule, "unit", seat="unit", about="unit", **arguments)


of_unit = of("units", "unit")
of_seat = of("seats", "seat")


def with_unit(state: Battle, id: GroupId, **changes: object) -> Battle:
    """Return the state with some fields of a unit changed."""
    unit: Unit = replace(state.units[id], **changes)
    return replace(state, units={**state.units, id: unit})


Fields = dict[str, Any]


def rolled(fields: Fields, earlier: Sequence[Entry]) -> Fields:
    """Replace the faces by the number of their roll."""
    rest = {name: value for name, value in fields.items() if name != "faces"}
    return {**rest, "roll": roll_before(earlier, fields["faces"])}


def power_tried(fields: Fields, earlier: Sequence[Entry]) -> Fields:
    """Read a cast whose number of dice was not a field of its own."""
    return {**rolled(fields, earlier), "dice": len(fields["faces"])}
