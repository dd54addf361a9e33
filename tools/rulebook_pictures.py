"""The rulebook's pictures: small tables laid out by hand, drawn by the client's own board and row of cards."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import arcade

from client import theme
from client.app import App
from client.draw.cards import draw_row
from client.draw.groups import Marks
from client.shown import Shown
from client.tabletop import Tabletop
from client.texts import Texts
from client.ui import Ui
from client.views.board import Board
from client.views.view import View
from protocol.scene import AnyNode, Card, Feature, Group, Piece, Point, Row, SeatNode, Table, Zone
from protocol.text import Text

SIZE: Final = (640, 320)
ROW: Final = 100
"""The height of the picture of the row."""
COLOURS: Final = 128
NAMES: Final = ("Iron Levy", "Marsh Rats", "Kites", "Tithe")
INCH: Final = 100


@dataclass
class Layout:
    """A small table, in inches, and lines drawn over it: places, colour, and a word at the end."""

    width: int = 24
    height: int = 12
    nodes: dict[str, AnyNode] = field(default_factory=dict)
    lines: list[tuple[Point, Point, theme.Colour, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.nodes["table"] = Table((self.width * INCH, self.height * INCH))
        for seat, name in enumerate(NAMES):
            self.nodes[f"seat/{seat}"] = SeatNode(Text(name), seat)

    def group(self, seat: int, name: str, *places: tuple[float, float]) -> None:
        id = f"{seat}.{len(self.nodes)}"
        pieces = []
        for number, (x, y) in enumerate(places):
            pieces.append(f"piece/{id}-{number}")
            self.nodes[pieces[-1]] = Piece((round(x * INCH), round(y * INCH)), 50, seat, f"group/{id}")
        self.nodes[f"group/{id}"] = Group(seat, Text(name), tuple(pieces))

    def vehicle(self, seat: int, name: str, x: float, y: float, facing: int) -> None:
        id, at = f"{seat}.{len(self.nodes)}", (round(x * INCH), round(y * INCH))
        self.nodes[f"piece/{id}"] = Piece(at, 125, seat, f"group/{id}", Text(name), facing=facing, box=(500, 250))
        self.nodes[f"group/{id}"] = Group(seat, Text(name), (f"piece/{id}",))

    def area(self, kind: str, x: float, y: float, width: float, height: float) -> None:
        left, bottom, right, top = (round(side * INCH) for side in (x, y, x + width, y + height))
        outline = ((left, bottom), (right, bottom), (right, top), (left, top))
        if kind not in ("building", "vehicle"):
            middle, half = ((left + right) / 2, (bottom + top) / 2), ((right - left) / 2, (top - bottom) / 2)
            turns = [math.radians(30 * step) for step in range(12)]
            outline = tuple(
                (round(middle[0] + half[0] * math.cos(turn)), round(middle[1] + half[1] * math.sin(turn)))
                for turn in turns
            )  # type: ignore[assignment]
        self.nodes[f"feature/{len(self.nodes)}"] = Feature(outline, kind, Text(kind), blocks=kind != "scrub")

    def barrier(self, kind: str, *places: tuple[float, float]) -> None:
        outline = tuple((round(x * INCH), round(y * INCH)) for x, y in places)
        self.nodes[f"feature/{len(self.nodes)}"] = Feature(outline, kind, Text(kind), line=True, blocks=True)

    def line(self, start: tuple[float, float], end: tuple[float, float], colour: theme.Colour, word: str = "") -> None:
        a, b = ((round(x * INCH), round(y * INCH)) for x, y in (start, end))
        self.lines.append((a, b, colour, word))


class BoardPicture(View):
    """The board alone."""

    def __init__(self, app: App, layout: Layout) -> None:
        super().__init__(app)
        self.layout = layout
        self.board = Board()

    def build(self, ui: Ui) -> None:
        shown = Shown(Tabletop(self.layout.nodes), Texts())
        self.board.build(ui, ui.window, shown, Marks())
        ui.on("marks")
        camera = self.board.camera
        for start, end, colour, word in self.layout.lines:
            a, b = camera.to_window(*start), camera.to_window(*end)
            ui.painter.stroke([a, b], 3, colour)
            turn = math.atan2(b[1] - a[1], b[0] - a[0])
            head = [(b[0] - 13 * math.cos(turn + side), b[1] - 13 * math.sin(turn + side)) for side in (0.45, -0.45)]
            ui.painter.fill([b, *head], colour)
            if word:
                ui.label(word, (a[0] + b[0]) / 2 + 12, (a[1] + b[1]) / 2 + 14, bold=True)

    def draw_below(self) -> None:
        self.board.draw_ground()

    def draw_between(self) -> None:
        self.board.draw_figures()


class RowPicture(View):
    """The row of cards alone."""

    def __init__(self, app: App, nodes: Mapping[str, AnyNode]) -> None:
        super().__init__(app)
        self.nodes = nodes

    def build(self, ui: Ui) -> None:
        strip = ui.window.cut_top(ROW)[0].inset(ui.px(8))
        draw_row(ui, strip, Shown(Tabletop(dict(self.nodes)), Texts()))


def row() -> Layout:
    """A row of five cards, the second being played."""
    layout = Layout()
    cards = (
        Card("1", Text("Single"), 1, "single", 1, "done"),
        Card("2", Text("Triple"), 0, "triple", 3, "current"),
        Card("3", Text("Special Event"), -1, "event", 0),
        Card("4", Text("Double"), 3, "double", 2),
        Card("5", Text("Single"), 2, "single", 1),
    )
    layout.nodes["row"] = Row(cards, 3, 2)
    return layout


def move() -> Layout:
    """A group before and after its move."""
    layout = Layout()
    layout.area("scrub", 17, 6.5, 5, 4)
    layout.group(0, "before", (4, 5.2), (5.3, 5), (4.6, 6.5), (5.8, 6.7))
    layout.group(0, "after", (13.3, 5), (12, 5.7), (12.5, 3.7), (11.4, 4.2))
    layout.line((5.3, 5), (13.3, 5), theme.RULER, "8″")
    return layout


def vehicle() -> Layout:
    """A way straight ahead and a turn; a blast."""
    layout = Layout()
    layout.vehicle(0, "before", 4, 3, 0)
    layout.vehicle(0, "after", 12, 3, 60)
    layout.line((6.6, 3), (9.4, 3), theme.RULER, "8″")
    layout.group(1, "Marsh Rats", (18, 8), (19.3, 8.3), (18.6, 6.9), (19.9, 7.1))
    layout.nodes["zone/blast"] = Zone("blast", at=(1880, 770), radius=300)
    return layout


def sight() -> Layout:
    """One line of sight that is free, one that a group is in."""
    layout = Layout()
    layout.area("trees", 9, 7.3, 4, 3.6)
    layout.group(0, "A", (3, 4), (4.2, 4.4), (3.5, 5.4))
    layout.group(1, "B", (19, 8), (20.2, 8.4), (19.5, 9.4))
    layout.group(1, "C", (20, 2.6), (21.2, 3), (20.4, 1.5))
    layout.group(2, "Kites", (12, 2.6), (12.4, 4.4))
    layout.line((4.2, 4.4), (19, 8), theme.SIGHT_CLEAR)
    layout.line((4.2, 4.4), (11.6, 3.7), theme.SIGHT_BLOCKED)
    return layout


def cover() -> Layout:
    """The same group in every kind of cover."""
    layout = Layout()
    layout.area("scrub", 7, 3.4, 5, 5)
    layout.barrier("wall", (13.3, 6), (16.4, 6))
    layout.area("building", 18, 3, 5, 5.4)
    for name, x in (("open", 3), ("cover", 9.5), ("behind the wall", 14.8), ("hard cover", 20.5)):
        y = 3.9 if "wall" in name else 5.6
        layout.group(0, name, (x - 0.8, y), (x + 0.6, y), (x - 0.1, y + 1.3))
    return layout


def combat() -> Layout:
    """A charge over a wall."""
    layout = Layout()
    layout.barrier("wall", (13, 1.5), (13, 10.5))
    layout.group(1, "Marsh Rats", (13.8, 6), (14.4, 7.2), (14.2, 4.8))
    layout.group(0, "Iron Levy", (12.2, 6), (11, 7), (10.9, 5.2), (10, 6.1))
    layout.line((5, 6), (9.2, 6), theme.RULER)
    return layout


PICTURES: Final[Mapping[str, Callable[[], Layout]]] = {
    "row": row,
    "move": move,
    "vehicle": vehicle,
    "sight": sight,
    "cover": cover,
    "combat": combat,
}


def draw_all(folder: Path) -> Iterator[Path]:
    """Draw every picture into a folder. Raises OSError."""
    app = App(SIZE, visible=False)
    try:
        for name, make in PICTURES.items():
            layout, path = make(), folder / f"{name}.png"
            is_row = "row" in layout.nodes
            app.show(RowPicture(app, layout.nodes) if is_row else BoardPicture(app, layout))
            app.on_draw()
            height = ROW if is_row else SIZE[1]
            image = arcade.get_image(0, SIZE[1] - height, SIZE[0], height)
            image.convert("RGB").quantize(COLOURS).save(path, "PNG", optimize=True)
            yield path
    finally:
        app.close()
