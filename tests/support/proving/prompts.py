"""Choices of a seat on its turn, the options of lazy fields, and the intent of a reply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.replies import check_reply, choice_named, next_field
from engine.core.rules.system import Intent
from protocol.ids import PromptId
from protocol.scene.fields import AnyField, Facing, Option, PickCell, Pieces, Template
from protocol.scene.nodes import Choice, Point, Prompt, Reply
from protocol.text import text
from tests.support.proving import events
from tests.support.proving.asks import cell_of
from tests.support.proving.hexes import neighbours
from tests.support.proving.state import ACTS, ANGLES, GRID, SMOKE, Field, Unit, ways


def prompt(state: Field, seat: Seat) -> Prompt:
    """Return the choices of the seat whose turn it is."""
    return Prompt(PromptId(""), text("pv.act"), choices(state, seat), default="end")


def choices(state: Field, seat: Seat) -> tuple[Choice, ...]:
    """Return all choices that could be made, without dead ends."""
    seen = list(state.of(seat, hidden=False))
    fresh = [unit for unit in seen if not unit.spent]
    dark = [unit for unit in state.of(seat, hidden=True) if not unit.crept]
    cell = PickCell("cell", text("pv.cell"), lazy=True)
    facing = Facing("facing", text("pv.facing"), lazy=True)
    found = [
        *([Choice("advance", text("pv.advance"), (_unit(fresh), cell, facing), key="a")] if fresh else []),
        *([Choice("watch", text("pv.watch"), (_unit(fresh),), key="w")] if fresh else []),
        *([Choice("face", text("pv.face"), (_unit(seen), facing), key="f")] if seen else []),
        *([Choice("creep", text("pv.creep"), (_unit(dark), cell), key="c")] if dark else []),
    ]
    if state.charges[seat] and state.acts == ACTS and seen:
        start = GRID.centre(seen[0].cell)
        where = Template("at", text("pv.at"), size=SMOKE, start=start, reach=4 * GRID.size, default=start)
        found.append(Choice("smoke", text("pv.smoke"), (where,)))
    return (*found, Choice("end", text("pv.end"), key="e"))


def _unit(units: list[Unit]) -> Pieces:
    return Pieces("unit", text("pv.unit"), options=tuple(Option(unit.node) for unit in units))


def detail(state: Field, seat: Seat, choice: str, fields: Mapping[str, object]) -> AnyField:
    """Return the first field not given yet."""
    field = next_field(choice_named(choices(state, seat), choice), fields)
    if not field.lazy:
        return field
    unit = _chosen(state, seat, fields)
    if isinstance(field, PickCell):
        if choice == "creep":
            cells = [cell for cell in neighbours(GRID, unit.cell) if state.open_at(cell) is None]
        else:
            cells = sorted(ways(state, unit))
        return PickCell("cell", text("pv.cell"), grid=GRID, options=tuple(cells))
    at = GRID.centre(cell_of(Reply(choice, dict(fields))) if "cell" in fields else unit.cell)
    angles = tuple(a for a in ANGLES if choice != "face" or a != unit.facing)
    return Facing("facing", text("pv.facing"), at=at, angles=angles, default=angles[0])


def parse(state: Field, seat: Seat, reply: Reply) -> Intent:
    """Return the typed intent. Raises IllegalIntent where the form is wrong."""
    check_reply(choices(state, seat), reply)
    fields = reply.fields
    if reply.choice == "end":
        return events.EndTurn()
    if reply.choice == "smoke":
        return events.LaySmoke(cast("Point", tuple(cast("list[int]", fields["at"]))))
    unit = _chosen(state, seat, fields).id
    match reply.choice:
        case "advance":
            return events.Advance(unit, cell_of(reply), cast("int", fields["facing"]))
        case "creep":
            return events.Creep(unit, cell_of(reply))
        case "face":
            return events.Face(unit, cast("int", fields["facing"]))
    return events.Watch(unit)


def _chosen(state: Field, seat: Seat, fields: Mapping[str, object]) -> Unit:
    picked = fields.get("unit")
    node = picked[0] if isinstance(picked, (list, tuple)) and len(picked) == 1 else None
    unit = next((unit for unit in state.of(seat) if unit.node == node), None)
    if unit is None:
        raise IllegalIntent("unit/none")
    return unit
