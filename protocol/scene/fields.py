"""Fields of a choice: the blanks that a player fills in, each of a kind that every client knows how to ask for."""

from __future__ import annotations

from typing import Final

import msgspec

from protocol.ids import NodeId
from protocol.scene.grid import Cell, Grid
from protocol.text import Text

Point = tuple[int, int]

MOST_CORNERS: Final = 8
"""Corners of a way, its end among them."""


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """Thing that can be chosen. `id` of a piece, group, feature or card option is that node's id; `numbers`: those that
    its hint tells of, by name, for programs."""

    id: str
    name: Text | None = None
    hint: Text | None = None
    numbers: dict[str, int] = {}


class Barred(msgspec.Struct, frozen=True, omit_defaults=True):
    """Thing that a player might expect to choose and cannot, with the reason. `by`: the node that is in the way, ""
    for none."""

    id: str
    code: str
    why: Text
    by: NodeId = NodeId("")


class Band(msgspec.Struct, frozen=True, omit_defaults=True):
    """Ground within reach at one price: all that lies in one of `regions`, or in one of `cells`. `cost`: the most that
    a way to it costs, in hundredths of the table's unit (in cells where the table has them)."""

    name: Text
    cost: int = 0
    regions: tuple[tuple[Point, ...], ...] = ()
    cells: tuple[Cell, ...] = ()


class Field(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="k"):
    """Blank of a choice. `lazy` fields come without options: ask for `detail` with the fields before them.

    `auto`: the field may be left out of an answer; the server then fills in what `default` shows (or would show).
    """

    key: str
    name: Text
    lazy: bool = False
    auto: bool = False


class Pieces(Field, frozen=True, tag="pieces"):
    """Choice of `least` to `most` of the options, node ids of pieces, groups, features or cards. Value: list of ids."""

    options: tuple[Option, ...] = ()
    barred: tuple[Barred, ...] = ()
    least: int = 1
    most: int = 1
    default: tuple[str, ...] = ()


class PickOption(Field, frozen=True, tag="option"):
    """Choice of one option by id. Value: its id."""

    options: tuple[Option, ...] = ()
    barred: tuple[Barred, ...] = ()
    default: str = ""


class PickPoint(Field, frozen=True, tag="point"):
    """Choice of a point. `regions` are polygons that hint where it may be, `start` is where the measure begins.

    Value: [x, y].
    """

    regions: tuple[tuple[Point, ...], ...] = ()
    start: Point | None = None
    reach: int = 0
    radius: int = 0
    default: Point | None = None


class Placement(Field, frozen=True, tag="placement"):
    """Places of pieces around a lead at `around`: within `within` of it edge to edge. Value: map of piece id to [x,
    y]."""

    around: Point | None = None
    radius: int = 0
    within: int = 0
    pieces: tuple[NodeId, ...] = ()
    default: dict[NodeId, Point] = {}


class PathPoint(Field, frozen=True, tag="path"):
    """Choice of a point of a declared path, one of its corners from `least` on. Value: its number, counted from 0."""

    path: tuple[Point, ...] = ()
    least: int = 0
    default: int = 0


class Way(Field, frozen=True, tag="way"):
    """Way from `start` over `least` to `most` corners, the last of which is its end: points, or cells of `grid` where
    there is one. `bands` are hints, the cheapest first; `radius` is that of what goes. Value: the corners' numbers in
    one list, [x, y, x, y] or [column, row, column, row], without the start."""

    start: Point | None = None
    least: int = 1
    most: int = MOST_CORNERS
    radius: int = 0
    grid: Grid | None = None
    bands: tuple[Band, ...] = ()
    default: tuple[int, ...] = ()


class PickCell(Field, frozen=True, tag="cell"):
    """Choice of a cell of `grid`. Value: [column, row]."""

    grid: Grid | None = None
    options: tuple[Cell, ...] = ()
    default: Cell | None = None


class Facing(Field, frozen=True, tag="facing"):
    """Facing of a thing that stands at `at`: one of `angles` in whole degrees. `box`: it is a rectangle, so long along
    its facing and so wide. Value: int."""

    at: Point = (0, 0)
    angles: tuple[int, ...] = ()
    default: int = 0
    box: Point | None = None


class Template(Field, frozen=True, tag="template"):
    """Place of a template, by its middle. `shape` is disc (`size` its radius) or square (half its side); within `reach`
    of `start` where there is one, its middle inside one of `regions` where there are any. Value: [x, y]."""

    shape: str = "disc"
    size: int = 0
    regions: tuple[tuple[Point, ...], ...] = ()
    start: Point | None = None
    reach: int = 0
    default: Point | None = None


class Number(Field, frozen=True, tag="number"):
    """Whole number from `least` to `most`. Value: int."""

    least: int = 0
    most: int = 0
    default: int = 0


class Assign(Field, frozen=True, tag="assign"):
    """Assignment of every item to one slot; `room` is the most a slot takes. `bars`: by item the slots that it may not
    take, with the reasons; it may take all others. Value: map of item id to slot id; an item that is left out takes its
    default."""

    items: tuple[Option, ...] = ()
    slots: tuple[Option, ...] = ()
    room: dict[str, int] = {}
    bars: dict[str, tuple[Barred, ...]] = {}
    default: dict[str, str] = {}


class Order(Field, frozen=True, tag="order"):
    """Order of all items. Value: list of ids."""

    items: tuple[Option, ...] = ()
    default: tuple[str, ...] = ()


class Words(Field, frozen=True, tag="text"):
    """Free text of at most `most` characters. Value: str."""

    most: int = 200
    default: str = ""


AnyField = (
    Pieces
    | PickOption
    | PickPoint
    | Placement
    | PathPoint
    | Way
    | PickCell
    | Facing
    | Template
    | Number
    | Assign
    | Order
    | Words
)
