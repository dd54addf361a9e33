"""Upcasters of events stored under RULES 1 and 2: with the faces of their dice, where today they name a roll."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.match.upcasting import Entry, roll_before

Fields = dict[str, Any]


def volley(fields: Fields, earlier: Sequence[Entry]) -> Fields:
    """Upcast an event with its dice in a shot, that of a group or of a Special Event."""
    shot = fields["volley"]
    return {**fields, "volley": {**rolled(shot, earlier), "dice": len(shot["faces"])}}


def burst(fields: Fields, earlier: Sequence[Entry]) -> Fields:
    """Upcast an event with its dice in a blast."""
    return {**fields, "burst": rolled(fields["burst"], earlier)}


def strike(fields: Fields, earlier: Sequence[Entry]) -> Fields:
    """Upcast an event with its dice in a strike of close combat; a faction without dice made no roll."""
    struck = fields["strike"]
    made = rolled(struck, earlier) if struck["faces"] else {**struck, "roll": None, "total": 0}
    return {**fields, "strike": made}


def rolled(fields: Fields, earlier: Sequence[Entry]) -> Fields:
    """Upcast an event with its dice among its own fields."""
    faces = fields["faces"]
    rest = {name: value for name, value in fields.items() if name != "faces"}
    return {**rest, "roll": roll_before(earlier, faces), "total": sum(faces)}
