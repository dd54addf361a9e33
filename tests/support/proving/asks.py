"""Questions of the procedures: the options, the default, and the value of a reply."""

from __future__ import annotations

from typing import cast

from engine.core.rules.errors import IllegalIntent
from engine.core.rules.questions import Ask, pick_one
from protocol.scene.fields import Assign, Option, Order, PathPoint, PickCell, Pieces
from protocol.scene.grid import Cell
from protocol.scene.nodes import Choice, Reply
from protocol.text import text
from tests.support.proving.state import GRID, HOMES, Field, Unit, in_range

Declaration = tuple[tuple[int, ...], int]
"""Units that react, and the corner of the path where they fire."""


def where_to_hide(seat: int) -> Ask[Cell]:
    """Ask for a cell at home for the hidden unit."""
    cells = HOMES[seat][2:]
    field = PickCell("cell", text("pv.cell"), grid=GRID, options=cells, default=cells[0])
    reply = Reply("hide", {"cell": list(cells[0])})
    choice = Choice("hide", text("pv.hide"), (field,))
    return Ask(text("pv.hide"), (choice,), reply, lambda r: cast("Cell", tuple(cast("list[int]", r.fields["cell"]))))


def able(state: Field, seat: int) -> list[Unit]:
    """Return a seat's units that could fire at some point of the declared path."""
    assert state.activation is not None
    path = state.activation.path
    return [u for u in state.of(seat) if not u.spent and any(in_range(u.cell, cell) for cell in path)]


def reactions(state: Field, seat: int) -> Ask[Declaration]:
    """Ask for the units that react, with the points of the path. Where none can, the choice not to react remains."""
    assert state.activation is not None
    none = Choice("none", text("pv.none"))
    units = able(state, seat)
    ids: dict[str, int] = {unit.node: unit.id for unit in units}
    who = Pieces("units", text("pv.who"), options=tuple(map(Option, ids)), least=1, most=max(len(ids), 1))
    where = PathPoint("at", text("pv.at"), path=tuple(map(GRID.centre, state.activation.path)))
    react = Choice("react", text("pv.react"), (who, where))

    def parse(reply: Reply) -> Declaration:
        if reply.choice == "none":
            return (), 0
        chosen = tuple(ids[node] for node in cast("list[str]", reply.fields["units"]))
        return chosen, cast("int", reply.fields["at"])

    return Ask(text("pv.reactions"), (none, react) if units else (none,), Reply("none"), parse, "TW-REACT-07")


def order_of(units: list[Unit]) -> Ask[tuple[int, ...]]:
    """Ask for the order in which the reactions of all units are tested; as given by default."""
    ids: dict[str, int] = {unit.node: unit.id for unit in units}
    field = Order("order", text("pv.order"), items=tuple(map(Option, ids)))
    reply = Reply("order", {"order": list(ids)})
    choice = Choice("order", text("pv.order"), (field,))
    return Ask(
        text("pv.order"),
        (choice,),
        reply,
        lambda r: tuple(ids[node] for node in cast("list[str]", r.fields["order"])),
        "TW-REACT-25",
    )


def interruption(watchers: list[Unit], reacting: Unit) -> Ask[str]:
    """Ask for the unit on overwatch that interrupts, if any."""
    options = [Option("none", text("pv.none")), *(Option(unit.node, text("pv.interrupt")) for unit in watchers)]
    return pick_one(text("pv.overwatch", unit=reacting.id), options, "none", "TW-SFIRE-10")


def card(hand: tuple[str, ...]) -> Ask[str]:
    """Ask for a card to play now, or none."""
    options = [Option("hold", text("pv.hold")), *(Option(name, text(f"pv.{name}")) for name in sorted(set(hand)))]
    return pick_one(text("pv.play"), options, "hold")


def split(dice: int, targets: list[Unit]) -> Ask[dict[int, int]]:
    """Ask for the dice of each target; by default all at the first."""
    items = tuple(Option(f"die/{n}", text("pv.die", n=n + 1)) for n in range(dice))
    ids: dict[str, int] = {unit.node: unit.id for unit in targets}
    default: dict[str, str] = {item.id: targets[0].node for item in items}
    field = Assign("dice", text("pv.split"), items=items, slots=tuple(map(Option, ids)), default=default)

    def parse(reply: Reply) -> dict[int, int]:
        slots = list(cast("dict[str, str]", reply.fields["dice"]).values())
        if not slots:
            raise IllegalIntent("reply/bad-field")
        return {id: slots.count(node) for node, id in ids.items() if node in slots}

    return Ask(text("pv.split"), (Choice("fire", text("pv.fire"), (field,)),), Reply("fire", {"dice": default}), parse)
