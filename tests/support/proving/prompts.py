"""Choices of a seat on its turn, the options of lazy fields, and the intent of a reply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.replies import check_reply, choice_named, next_field
from engine.core.rules.system import Intent
from protocol.ids import NodeId, PromptId
from protocol.scene.advice import Gesture
from protocol.scene.fields import AnyField, Band, Facing, Option, PickCell, Pieces, Placement, Template, Way
from protocol.scene.nodes import Choice, Point, Prompt, Reply
from protocol.text import text
from tests.support.proving import events
from tests.support.proving.asks import cell_of
from tests.support.proving.hexes import neighbours
from tests.support.proving.state import (
    ACTS,
    ANGLES,
    FLAG,
    FLAG_REACH,
    FLAGS,
    GRID,
    REACH,
    SMOKE,
    Field,
    Unit,
    free_at_home,
    ways,
)

ADVANCE: Final = Gesture("unit", "cell", "cell", mark="move", ends=True)
MARCH: Final = Gesture("unit", "way", "cell", 1, "move", ends=True)
CREEP: Final = Gesture("unit", "cell", "cell", mark="move")
WATCH: Final = Gesture("unit", rank=2)


def prompt(state: Field, seat: Seat) -> Prompt:
    """Return the choices of the seat whose turn it is."""
    if state.preparing:
        return Prompt(PromptId(""), text("pv.prepare"), choices(state, seat), default="ready")
    return Prompt(PromptId(""), text("pv.act"), choices(state, seat), default="end")


def choices(state: Field, seat: Seat) -> tuple[Choice, ...]:
    """Return all choices that could be made, without dead ends."""
    seen = list(state.of(seat, hidden=False))
    fresh = [unit for unit in seen if not unit.spent]
    dark = [unit for unit in state.of(seat, hidden=True) if not unit.crept]
    cell = PickCell("cell", text("pv.cell"), lazy=True)
    facing = Facing("facing", text("pv.facing"), lazy=True)
    way = Way("way", text("pv.way"), lazy=True)
    always = (*_with(seen, "face", facing, key="f"), *_with(dark, "creep", cell, key="c", gesture=CREEP))
    if state.preparing:
        shift = _with(fresh, "shift", cell, key="s", gesture=CREEP)
        return (*shift, *always, Choice("ready", text("pv.ready"), key="r"))
    found = [
        *_with(fresh, "advance", cell, facing, key="a", gesture=ADVANCE),
        *_with(fresh, "march", way, gesture=MARCH),
        *_with(fresh, "watch", key="w", gesture=WATCH),
        *always,
    ]
    if state.charges[seat] and state.acts == ACTS and seen:
        start = GRID.centre(seen[0].cell)
        where = Template("at", text("pv.at"), size=SMOKE, start=start, reach=4 * GRID.size, default=start)
        found.append(Choice("smoke", text("pv.smoke"), (where,)))
    if not state.flags[seat] and state.acts == ACTS and seen:
        found.append(Choice("flags", text("pv.flags"), (_flags(seat, GRID.centre(seen[0].cell)),)))
    return (*found, Choice("end", text("pv.end"), key="e"))


def _with(
    units: list[Unit], choice: str, *fields: AnyField, key: str = "", gesture: Gesture | None = None
) -> tuple[Choice, ...]:
    """Return the choice made with one of these units; nothing without any."""
    made = Choice(choice, text(f"pv.{choice}"), (_unit(units), *fields), key=key, gesture=gesture)
    return (made,) if units else ()


def _flags(seat: Seat, at: Point) -> Placement:
    """Make the field of the places of a seat's flags: in a row across a unit, if nobody changes them."""
    pieces = tuple(NodeId(f"piece/flag-{seat}-{n}") for n in range(FLAGS))
    row = {piece: (at[0] + (2 * n + 1 - FLAGS) * FLAG, at[1]) for n, piece in enumerate(pieces)}
    return Placement("places", text("pv.flags"), around=at, radius=FLAG, within=FLAG_REACH, pieces=pieces, default=row)


def _way(state: Field, unit: Unit) -> Way:
    """Make the field of a way over corners of the player's own, with the cells that each further step comes to."""
    found = ways(state, unit)
    steps = range(1, REACH + 1)
    bands = tuple(
        Band(text("pv.steps", n=n), n, cells=tuple(sorted(c for c, way in found.items() if len(way) == n + 1)))
        for n in steps
    )
    nearest = next((band.cells[0] for band in bands if band.cells), unit.cell)
    return Way("way", text("pv.way"), start=unit.cell, most=REACH, grid=GRID, bands=bands, default=nearest)


def _unit(units: list[Unit]) -> Pieces:
    return Pieces("unit", text("pv.unit"), options=tuple(Option(unit.node) for unit in units))


def detail(state: Field, seat: Seat, choice: str, fields: Mapping[str, object]) -> AnyField:
    """Return the first field not given yet."""
    field = next_field(choice_named(choices(state, seat), choice), fields)
    if not field.lazy:
        return field
    unit = _chosen(state, seat, fields)
    if isinstance(field, Way):
        return _way(state, unit)
    if isinstance(field, PickCell):
        if choice == "creep":
            cells = [cell for cell in neighbours(GRID, unit.cell) if state.open_at(cell) is None]
        elif choice == "shift":
            cells = free_at_home(state, seat)
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
    if reply.choice in ("end", "ready"):
        return events.EndTurn() if reply.choice == "end" else events.Ready()
    if reply.choice == "smoke":
        return events.LaySmoke(cast("Point", tuple(cast("list[int]", fields["at"]))))
    if reply.choice == "flags":
        places = cast("dict[str, list[int]]", fields["places"])
        return events.SetFlags(tuple(cast("Point", tuple(at)) for at in places.values()))
    unit = _chosen(state, seat, fields).id
    match reply.choice:
        case "advance":
            return events.Advance(unit, cell_of(reply), cast("int", fields["facing"]))
        case "march":
            way = cast("list[int]", fields["way"])
            return events.March(unit, tuple(zip(way[::2], way[1::2], strict=True)))
        case "shift":
            return events.Shift(unit, cell_of(reply))
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
