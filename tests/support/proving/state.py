"""The state: plain values. Secrets are hidden by the presenter and by the audiences of events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from engine.core.rules.sides import ALONE, Sides, are_enemies
from protocol.ids import NodeId
from protocol.scene.grid import Cell, Grid
from protocol.scene.nodes import Point
from tests.support.proving.hexes import distance, neighbours

GRID: Final = Grid(300, 9, 7, (300, 300))
SIZE: Final = (3300, 2200)
HOMES: Final[tuple[tuple[Cell, ...], ...]] = (
    ((0, 0), (0, 1), (1, 1), (0, 2), (1, 3), (1, 0)),
    ((8, 0), (7, 1), (8, 2), (7, 0), (8, 1), (7, 3)),
    ((3, 6), (4, 6), (5, 6), (4, 5), (3, 5), (5, 5)),
)
"""By seat: where its two open units start, then where its hidden one may."""
REACH: Final = 3
RANGE: Final = 4
SMOKE: Final = 400
NOWHERE: Final[Cell] = (-1, -1)
"""The cell of a unit in the dark, to all but its owner."""
ACTS: Final = 2
FLAGS: Final = 6
FLAG: Final = 40
FLAG_REACH: Final = 400
ANGLES: Final = (0, 60, 120, 180, 240, 300)
CARDS: Final = ("dash", "nerve") * 6


class Unit(msgspec.Struct, frozen=True, omit_defaults=True):
    """`shown` names it in public, `known` to its owner while it is hidden. `spent` and `crept` last for a turn."""

    id: int
    owner: int
    cell: Cell
    known: str
    shown: str = ""
    facing: int = 0
    strength: int = 3
    watching: bool = False
    spent: bool = False
    crept: bool = False

    @property
    def hidden(self) -> bool:
        """True while only its owner knows its place."""
        return not self.shown

    @property
    def node(self) -> NodeId:
        """Return the node id by which a viewer who may see it knows it."""
        return NodeId(f"piece/{self.shown or self.known}")

    @property
    def nodes(self) -> tuple[NodeId, ...]:
        """Return the node ids by which it was ever known."""
        return NodeId(f"piece/{self.known}"), NodeId(f"piece/{self.shown}")


class Scenario(msgspec.Struct, frozen=True, omit_defaults=True):
    """The content of one match: its turns, the side of each seat (none: each alone), its seats (one plays against the
    game), whether all prepare before it."""

    turns: int
    sides: tuple[int, ...] = ()
    seats: int = 3
    prepare: bool = False


class Reaction(msgspec.Struct, frozen=True, omit_defaults=True):
    """A declared reaction: fire at the active unit when it stands at corner `at` of its path."""

    unit: int
    at: int
    tested: bool = False
    won: bool = False


class Activation(msgspec.Struct, frozen=True, omit_defaults=True):
    """An activation that is being resolved."""

    unit: int
    path: tuple[Cell, ...]
    at: int = 0
    reactions: tuple[Reaction, ...] = ()
    broken: bool = False


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """The whole state. `hands` and `flags` by seat; `reveals` counts revealed units. `preparing`: before the first turn
    all seats prepare, in any order, until each has said that it is `ready`."""

    seats: int
    turns: int
    sides: Sides = ALONE
    units: tuple[Unit, ...] = ()
    hands: tuple[tuple[str, ...], ...] = ()
    smoke: tuple[Point, ...] = ()
    charges: tuple[int, ...] = ()
    flags: tuple[tuple[Point, ...], ...] = ()
    activation: Activation | None = None
    reveals: int = 0
    turn: int = 0
    acts: int = 0
    over: bool = False
    preparing: bool = False
    ready: tuple[int, ...] = ()

    @property
    def acting(self) -> int:
        """Seat whose turn it is."""
        return (self.turn - 1) % self.seats

    def unit(self, id: int) -> Unit | None:
        """Return a unit that is still there."""
        return next((unit for unit in self.units if unit.id == id), None)

    def hostile(self, one: int, other: int) -> bool:
        """Tell if two seats are enemies."""
        return are_enemies(self.sides, one, other)

    def of(self, seat: int, *, hidden: bool | None = None) -> Iterator[Unit]:
        """Return a seat's units."""
        return (u for u in self.units if u.owner == seat and (hidden is None or u.hidden == hidden))

    def open_at(self, cell: Cell) -> Unit | None:
        """Return the public unit in a cell."""
        return next((unit for unit in self.units if unit.cell == cell and not unit.hidden), None)

    def with_unit(self, id: int, **values: Any) -> Field:
        """Return a copy with other values for one unit."""
        units = tuple(msgspec.structs.replace(u, **values) if u.id == id else u for u in self.units)
        return msgspec.structs.replace(self, units=units)

    def with_hands(self, hands: tuple[tuple[str, ...], ...]) -> Field:
        """Return a copy with other hands."""
        return msgspec.structs.replace(self, hands=hands)

    def in_activation(self, **values: Any) -> Field:
        """Return a copy with other values for the present activation."""
        assert self.activation is not None
        return msgspec.structs.replace(self, activation=msgspec.structs.replace(self.activation, **values))

    def with_reaction(self, unit: int, **values: Any) -> Field:
        """Return a copy with other values for a declared reaction."""
        assert self.activation is not None
        reactions = tuple(
            msgspec.structs.replace(r, **values) if r.unit == unit else r for r in self.activation.reactions
        )
        return self.in_activation(reactions=reactions)

    def smoked(self, cell: Cell) -> bool:
        """Tell if smoke lies on a cell."""
        x, y = GRID.centre(cell)
        return any((x - sx) ** 2 + (y - sy) ** 2 <= SMOKE * SMOKE for sx, sy in self.smoke)


def ways(state: Field, unit: Unit) -> dict[Cell, tuple[Cell, ...]]:
    """Return the shortest ways of at most REACH cells around all units in the open, by their ends."""
    found: dict[Cell, tuple[Cell, ...]] = {unit.cell: (unit.cell,)}
    edge = [unit.cell]
    for _ in range(REACH):
        steps = [(cell, onward) for cell in edge for onward in neighbours(GRID, cell)]
        edge = []
        for cell, onward in steps:
            if onward not in found and state.open_at(onward) is None:
                found[onward] = (*found[cell], onward)
                edge.append(onward)
    del found[unit.cell]
    return found


def way_over(state: Field, unit: Unit, corners: Iterable[Cell]) -> tuple[Cell, ...] | None:
    """Return the way of a unit over these corners, None where they lead into others or farther than REACH."""
    way = [unit.cell]
    for corner in corners:
        leg = ways(state, msgspec.structs.replace(unit, cell=way[-1])).get(corner)
        if leg is None:
            return None
        way += leg[1:]
    return tuple(way) if len(way) <= REACH + 1 else None


def free_at_home(state: Field, seat: int) -> list[Cell]:
    """Return the cells of a seat's home that none of its units in the open stands in."""
    return [cell for cell in HOMES[seat] if state.open_at(cell) is None]


def in_range(one: Cell, other: Cell) -> bool:
    """Tell if fire reaches from cell to cell."""
    return distance(one, other) <= RANGE
