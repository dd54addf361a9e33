"""Things of a description that stand beside the grid of 4 pixels, at the usual size and text scale 1.

Left out are the table's own content (names of groups and areas on the board, words and dice of an act beside its
figures), tips, which stand at the mouse, signs and marks of a few pixels (emblems, stripes, bars, carets), what is no
rectangle, and of lines of text all but the places where those at the left begin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.painter import Shape
from client.views.board.board_screen import BoardScreen
from client.views.screen import Screen

LAYERS: Final = ("panels", "over", "popup", "above")
"""Layers of panels and pages."""
OF_ACTS: Final = "over"
"""Layer that has the words of an act at a table."""
MARK: Final = 12
"""Pixels below which a rectangle is a mark within something."""
SIGN: Final = 20
"""Most pixels a side of a sign, such as the emblem of a seat."""
CORNERS: Final = (4, 20)
"""Corners of a rectangle, sharp or rounded."""


def off_grid(ui: Ui, screen: Screen | None) -> list[tuple[str, Rect]]:
    """Return what has an edge beside the grid: its label, or its kind with its colour, and its place."""
    board = screen.board if isinstance(screen, BoardScreen) else None
    names = [*board.group_names.boxes, *board.zone_names.boxes] if board is not None else []
    layers = [name for name in LAYERS if board is None or name != OF_ACTS]
    things = [*((spot.label, spot.rect) for spot in ui.hotspots), *_boxes(ui, layers)]
    return [(label, rect) for label, rect in things if _is_off(rect) and rect not in names]


def _boxes(ui: Ui, layers: Sequence[str]) -> Iterator[tuple[str, Rect]]:
    for name in layers:
        for shape, _ in ui.layers[name].painter.shapes:
            rect = rectangle(shape)
            if rect is not None and max(rect.w, rect.h) > SIGN and min(rect.w, rect.h) >= MARK:
                yield f"{name} {shape[3]}", rect


def rectangle(shape: Shape) -> Rect | None:
    """Return the rectangle that a shape fills; None where it is another."""
    kind, corners, _, _ = shape
    if kind != "fill" or len(corners) not in CORNERS:
        return None
    xs, ys = [round(x, 3) for x, _ in corners], [round(y, 3) for _, y in corners]
    rect = Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
    edges = sum(x in (rect.x, rect.right) for x in xs) + sum(y in (rect.y, rect.top) for y in ys)
    return rect if edges >= 2 * 4 else None


def _is_off(rect: Rect) -> bool:
    return any(abs(edge - round(edge / theme.STEP) * theme.STEP) > 0.01 for edge in rect)


def words_off_grid(ui: Ui) -> list[tuple[str, float]]:
    """Return the lines of text that begin at a place beside the grid, with that place."""
    lines = [line for name in LAYERS if name != OF_ACTS for line in ui.layers[name].letters.lines]
    found = [(key.text, x) for key, x, _ in lines if key.anchor == "left"]
    return [(text, x) for text, x in found if abs(x - round(x / theme.STEP) * theme.STEP) > 0.01]
