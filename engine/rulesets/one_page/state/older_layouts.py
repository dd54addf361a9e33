"""Upcasters of events stored under RULES 1, which had the faces of their dice in place of the number of the roll."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.match.upcasting import Entry, roll_before

Fields = dict[str, Any]


def rolled(fields: Fields, earlier: Sequence[Entry]) -> Fields:
    """Replace the faces by the number of their roll."""
    rest = {name: value for name, value in fields.items() if name != "faces"}
    return {**rest, "roll": roll_before(earlier, fields["faces"])}


def power_tried(fields: Fields, earlier: Sequence[Entry]) -> Fields:
    """Read a cast whose number of dice was not a field of its own."""
    return {**rolled(fields, earlier), "dice": len(fields["faces"])}
