"""Logs in the layout of older rules: with the faces of dice in every event, where today they name a roll."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

Entry = dict[str, Any]
Back = Callable[[Entry, Mapping[tuple[int, int, bool], list[int]]], None]
"""Puts the faces of its roll, by number, into the fields of an entry; in place."""


def older(log: Sequence[bytes], newer: Mapping[str, Back]) -> list[bytes]:
    """Return the steps with the entries whose tags end in ".2" in their older layout. `newer`: the conversions, by
    these tags."""
    steps = [msgspec.msgpack.decode(data) for data in log]
    for step in steps:
        rolled = {(e["round"], e["n"], bool(e.get("to"))): e["faces"] for e in step[2] if e["e"] == "core.dice"}
        for entry in step[2]:
            if entry["e"] in newer:
                newer[entry["e"]](entry, rolled)
                entry["e"] = entry["e"].removesuffix(".2")
    return [msgspec.msgpack.encode(step) for step in steps]


def bare(fields: Entry, rolled: Mapping[tuple[int, int, bool], list[int]]) -> None:
    """Put faces in place of the number, without derived values."""
    number = fields.pop("roll")
    fields["faces"] = rolled[tuple(number)] if number is not None else []
    for name in ("total", "dice"):
        fields.pop(name, None)


def inside(name: str) -> Back:
    """Do the same for a value within the entry."""
    return lambda fields, rolled: bare(fields[name], rolled)


ACTION_CARDS: Final[Mapping[str, Back]] = {
    "ac.volley_fired.2": inside("volley"),
    "ac.event_struck.2": inside("volley"),
    "ac.burst_fell.2": inside("burst"),
    "ac.combat_struck.2": inside("strike"),
    "ac.fire_fell.2": inside("strike"),
    "ac.monster_hit.2": bare,
}
ONE_PAGE: Final[Mapping[str, Back]] = dict.fromkeys(
    ("op.morale_tested.2", "op.damage_rolled.2", "op.power_tried.2"), bare
)
