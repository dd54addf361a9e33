"""Questions of the procedures: the options, the default, and the value of a reply."""

from __future__ import annotations

from typing import cast

from engine.core.rules.errors import IllegalIntent
from engine.core.rules.game import Probe
from engine.core.rules.questions import Ask, pick_one
from protocol.scene.fields import AnyField, Assign, Barred, Facing, Option, Order, PathPoint, PickCell, Pieces
from protocol.scene.grid import Cell
from protocol.scene.nodes import Choice, Reply
from protocol.text import text
from tests.support.proving.hexes import distance, neighbours
from tests.support.proving.state import ANGLES, GRID, HOMES, Field, Unit, in_range

Declaration = dict[int, int]
"""Corner of the path where each unit that reacts fires."""
Retreat = tuple[Cell, int]
"""The cell that a unit falls back to, and its facing there."""


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
    """Ask for the units that react, all at one point of the path or each at its own. Where none can, the choice not to
    react remains."""
    assert state.activation is not None
    none = Choice("none", text("pv.none"))
    units = able(state, seat)
    ids: dict[str, int] = {unit.node: unit.id for unit in units}
    who = Pieces("units", text("pv.who"), options=tuple(map(Option, ids)), least=1, most=max(len(ids), 1))
    where = PathPoint("at", text("pv.at"), path=tuple(map(GRID.centre, state.activation.path)))
    react = Choice("react", text("pv.react"), (who, where))
    apart = Choice("each", text("pv.each"), (_where_each_fires(units, state.activation.path),))

    def parse(reply: Reply) -> Declaration:
        if reply.choice == "none":
            return {}
        if reply.choice == "each":
            given = cast("dict[str, str]", reply.fields["each"])
            return {ids[node]: int(slot) for node, slot in given.items() if slot != "hold"}
        chosen = cast("list[str]", reply.fields["units"])
        return {ids[node]: cast("int", reply.fields["at"]) for node in chosen}

    return Ask(text("pv.reactions"), (none, react, apart) if units else (none,), Reply("none"), parse, "TW-REACT-07")


def _where_each_fires(units: list[Unit], path: tuple[Cell, ...]) -> Assign:
    """Make the field that gives every unit a corner of the path within its range, or none."""
    corners = tuple(Option(str(n), text("pv.corner", n=n)) for n in range(len(path)))
    far = {n: Barred(str(n), "react/far", text("refuse.react/far")) for n in range(len(path))}
    return Assign(
        "each",
        text("pv.who"),
        items=tuple(Option(unit.node) for unit in units),
        slots=(Option("hold", text("pv.none")), *corners),
        bars={u.node: tuple(far[n] for n, cell in enumerate(path) if not in_range(u.cell, cell)) for u in units},
        default={unit.node: "hold" for unit in units},
    )


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


def cells_back(state: Field, unit: Unit) -> list[Cell]:
    """Return the free cells beside a unit, those farthest from the nearest enemy first."""
    foes = [other.cell for other in state.units if state.hostile(other.owner, unit.owner) and not other.hidden]
    free = [cell for cell in neighbours(GRID, unit.cell) if state.open_at(cell) is None]
    return sorted(free, key=lambda cell: (-min((distance(cell, foe) for foe in foes), default=0), cell))


def fall_back(state: Field, unit: Unit) -> Ask[Retreat]:
    """Ask where a broken unit falls back to, and where it looks: the cell first, then the angles away from its way."""
    best = cells_back(state, unit)[0]
    cell = PickCell("cell", text("pv.cell"), lazy=True)
    facing = Facing("facing", text("pv.facing"), lazy=True)
    choice = Choice("back", text("pv.back"), (cell, facing), about=(unit.node,))
    default = Reply("back", {"cell": list(best), "facing": angles_at(best, unit)[0]})

    def parse(reply: Reply) -> Retreat:
        goal = cell_of(reply)
        angle = cast("int", reply.fields["facing"])
        if goal not in cells_back(state, unit):
            raise IllegalIntent("way/none")
        if angle not in angles_at(goal, unit):
            raise IllegalIntent("facing/none")
        return goal, angle

    def detail(probe: Probe[Field], filled: Reply, field: AnyField) -> AnyField:
        there = probe.state.unit(unit.id)
        assert there is not None
        cells = cells_back(probe.state, there)
        if isinstance(field, PickCell):
            return PickCell("cell", text("pv.cell"), grid=GRID, options=tuple(cells), default=cells[0])
        goal = cell_of(filled)
        if goal not in cells:
            raise IllegalIntent("way/none")
        angles = angles_at(goal, there)
        return Facing("facing", text("pv.facing"), at=GRID.centre(goal), angles=angles, default=angles[0])

    return Ask(text("pv.back"), (choice,), default, parse, "TW-FALL-01", detail)


def cell_of(filled: Reply) -> Cell:
    """Return the cell that was filled in. Raises IllegalIntent."""
    cell = filled.fields.get("cell")
    if not isinstance(cell, (list, tuple)) or len(cell) != 2 or not all(type(part) is int for part in cell):
        raise IllegalIntent("way/none")
    return cast("Cell", tuple(cell))


def angles_at(goal: Cell, unit: Unit) -> tuple[int, ...]:
    """Return the angles that a unit may look at where it has fallen back to: all but the one it looked at before, the
    same for each column."""
    turned = ANGLES[goal[0] % 6 :] + ANGLES[: goal[0] % 6]
    return tuple(angle for angle in turned if angle != unit.facing)
